import { percentile } from './percentile.ts';

/** The figures that the project promises. */
const TARGETS = { publishP50Ms: 300, processMb: 160, wholeMb: 1400 };
const infrastructure = ['mongod', 'kafka'];

export interface Measured {
  /** By process. */
  readonly memoryMb: Readonly<Record<string, number>>;
  /** One for each post. */
  readonly publishMs: readonly number[];
}

/** A table for people and a line of JSON for programs, or the JSON alone. */
export function report(measured: Measured, jsonOnly: boolean): string {
  const memory = Object.entries(measured.memoryMb);
  const whole = memory.reduce((sum, [, mb]) => sum + mb, 0);
  const publish = { n: measured.publishMs.length, p50: percentile(measured.publishMs, 50), p95: percentile(measured.publishMs, 95) };
  const json = JSON.stringify({ publish_to_platform_ms: publish, memory_mb: measured.memoryMb, memory_whole_mb: whole });
  if (jsonOnly) return json;

  const rows: [string, string, string][] = [
    ['publish now → platform asked, p50', `${publish.p50} ms`, `≤ ${TARGETS.publishP50Ms} ms`],
    ['publish now → platform asked, p95', `${publish.p95} ms`, ''],
    ...memory.map(([name, mb]): [string, string, string] => [
      `${name}, idle`,
      `${mb} MB`,
      infrastructure.includes(name) ? '' : `≤ ${TARGETS.processMb} MB`,
    ]),
    ['all of them', `${whole} MB`, `≤ ${TARGETS.wholeMb} MB`],
  ];
  const table = rows.map(([what, value, target]) => `${what.padEnd(36)}${value.padStart(9)}   ${target}`.trimEnd());
  return [`${publish.n} text posts, one after the other`, ...table, json].join('\n');
}
