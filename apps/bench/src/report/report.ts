import type { Measured } from '../bench.ts';
import { deepPagesTable } from './deep-pages-table.ts';
import { figuresTable } from './figures-table.ts';
import { loadMemoryTable, memoryTable, soakTable } from './memory-table.ts';
import { publishTable } from './publish-table.ts';
import { throughputTable } from './throughput-table.ts';
import { toJson } from './to-json.ts';

/** Tables for people and a line of JSON for programs, or only the JSON. */
export function report(measured: Measured, jsonOnly: boolean): string {
  const json = JSON.stringify(toJson(measured));
  if (jsonOnly) return json;
  const tables = [
    measured.idleMb && memoryTable(measured.idleMb),
    measured.publishMs && publishTable(measured.publishMs),
    measured.throughput && throughputTable(measured.throughput),
    measured.loadMb && loadMemoryTable(measured.loadMb),
    measured.deepPages && deepPagesTable(measured.deepPages),
    measured.soak && soakTable(measured.soak),
    measured.deliveries && figuresTable('deliveries', measured.deliveries),
    measured.statistics && figuresTable('statistics', measured.statistics),
    measured.generation && figuresTable('generation', measured.generation),
    measured.webhooks && figuresTable('webhooks', measured.webhooks),
    measured.library && figuresTable('library', measured.library),
    measured.queues && figuresTable('queues', measured.queues),
  ];
  return [...tables.filter((table) => table !== undefined), json].join('\n\n');
}
