import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { cpuBetween, usageOf } from '../../process-usage.ts';
import { atLeast, atMost } from '../../report/table.ts';
import { storedSince } from '../../store/stored-events.ts';
import type { Figure } from '../figure.ts';
import { startEmitter, type Emitter } from './emitter.ts';
import { startReceiver, type Receiver } from './receiver.ts';

const LATENCY = { perSecond: 100, seconds: 20, p50: 150, p99: 1_000 };
const RATE = { events: 6_000, perSecond: 300, cpuMs: 3 };
const BESIDE = { perSecond: 20, seconds: 20, healthy: 8, growth: 1.3 };
const POLL_MS = 50;
const LIMIT_MS = 120_000;

/** Emits events as content does, and measures when an endpoint in the bench's process receives them. */
export async function webhooks(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  const receiver = await startReceiver(platform.filesPort);
  const emitter = await startEmitter(platform);
  const bench = { platform, receiver, emitter, say };
  try {
    return [...(await latency(bench)), ...(await rate(bench)), ...(await besideBroken(bench))];
  } finally {
    await emitter.stop();
    await receiver.stop();
  }
}

interface Bench {
  readonly platform: BenchPlatform;
  readonly receiver: Receiver;
  readonly emitter: Emitter;
  readonly say: (line: string) => void;
}

async function latency(bench: Bench): Promise<Figure[]> {
  bench.say(`${LATENCY.perSecond} events per second to one endpoint`);
  const endpoint = await create(bench, 'latency');
  await emitFor(bench, { perSecond: LATENCY.perSecond, seconds: 2 });
  const delays = await delaysOf(bench, ['/latency'], LATENCY);
  await remove(bench, endpoint);
  return (['p50', 'p99'] as const).map((name) => {
    const ms = percentile(delays, Number(name.slice(1)));
    return {
      what: `from the storing of an event to the receiver, at ${LATENCY.perSecond} events per second: ${name}`,
      measured: `${ms.toFixed(0)} ms`,
      target: `≤ ${LATENCY[name]} ms`,
      verdict: atMost(LATENCY[name], ms),
    };
  });
}

/** A recovery makes thousands of deliveries due at once, so that only sending is measured. */
async function rate(bench: Bench): Promise<Figure[]> {
  const { receiver, emitter, platform, say } = bench;
  say(`${RATE.events} webhooks to one endpoint`);
  const since = new Date().toISOString();
  const before = await lastSequence(bench);
  for (let sent = 0; sent < RATE.events; sent += 500) await emitter.emit(500);
  await until(async () => (await lastSequence(bench)) >= before + RATE.events, 'The events');
  const endpoint = await create(bench, 'rate');
  receiver.clear();
  const usage = await usageOf(platform.processes);
  const begun = performance.now();
  await call(bench, 'POST', `/webhooks/${endpoint}/recover`, { since });
  await until(() => (receiver.arrived.get('/rate')?.size ?? 0) >= RATE.events, 'The webhooks');
  const seconds = (performance.now() - begun) / 1_000;
  const cpu = cpuBetween(usage, await usageOf(platform.processes));
  await remove(bench, endpoint);
  const perSecond = RATE.events / seconds;
  const cpuMs = ((cpu['webhooks'] ?? NaN) / RATE.events) * 1_000;
  return [
    {
      what: 'webhooks to a fast endpoint, by one process',
      measured: `${perSecond.toFixed(0)} /s`,
      target: `≥ ${RATE.perSecond} /s`,
      verdict: atLeast(RATE.perSecond, perSecond),
    },
    {
      what: 'CPU of webhooks for each',
      measured: `${cpuMs.toFixed(2)} ms`,
      target: `≤ ${RATE.cpuMs} ms`,
      verdict: atMost(RATE.cpuMs, cpuMs),
    },
  ];
}

/** The same endpoints, with two more that work, and with two more that do not. */
async function besideBroken(bench: Bench): Promise<Figure[]> {
  const { healthy, growth } = BESIDE;
  const names = Array.from({ length: healthy }, (_, index) => `healthy${index}`);
  const paths = names.map((name) => `/${name}`);
  for (const name of names) await create(bench, name);
  const p99 = async (...others: string[]) => {
    bench.say(`${healthy} endpoints beside ${others.join(' and ')}`);
    const made = [];
    for (const name of others) made.push(await create(bench, name));
    const delays = await delaysOf(bench, paths, BESIDE);
    for (const id of made) await remove(bench, id);
    return percentile(delays, 99);
  };
  const alone = await p99('another', 'one more');
  const beside = await p99('dead', 'stalling');
  return [
    {
      what: `p99 of ${healthy} endpoints beside a dead and a stalling one (${beside.toFixed(0)} ms), compared with beside two that work (${alone.toFixed(0)} ms)`,
      measured: `${(beside / alone).toFixed(2)} ×`,
      target: `≤ ${growth} ×`,
      verdict: atMost(growth, beside / alone),
    },
  ];
}

async function create(bench: Bench, name: string): Promise<string> {
  const made = await call(bench, 'POST', '/webhooks', { url: `${bench.platform.filesUrl}/${encodeURIComponent(name)}`, events: ['*'] });
  return String(made['id']);
}

const remove = (bench: Bench, id: string) => call(bench, 'DELETE', `/webhooks/${id}`);

/** @throws Error unless the status is 2xx */
async function call({ platform }: Bench, method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const { baseUrl, apiKey } = platform;
  const response = await fetch(`${baseUrl}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

async function emitFor({ emitter }: Bench, { perSecond, seconds }: { perSecond: number; seconds: number }): Promise<void> {
  const begun = performance.now();
  for (let sent = 0; sent < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - begun) / 1_000) * perSecond)) - sent;
    if (due > 0) await emitter.emit(due);
    sent += Math.max(due, 0);
    await wait(5);
  }
}

/** Emits events, and returns how long each took from when it was stored until it arrived at each of the paths. */
async function delaysOf(bench: Bench, paths: readonly string[], load: { perSecond: number; seconds: number }): Promise<number[]> {
  const { receiver, platform } = bench;
  const before = await lastSequence(bench);
  receiver.clear();
  await emitFor(bench, load);
  const last = before + load.perSecond * load.seconds;
  await until(() => paths.every((path) => receiver.arrived.get(path)?.has(last)), 'The webhooks');
  const storedAt = await storedSince(platform, before);
  return paths.flatMap((path) =>
    [...(receiver.arrived.get(path) ?? [])].flatMap(([sequence, at]) => {
      const stored = storedAt.get(sequence);
      return stored === undefined ? [] : [at - stored];
    }),
  );
}

const lastSequence = async (bench: Bench): Promise<number> =>
  Number((await call(bench, 'GET', '/events?cursor=latest&limit=1'))['next_cursor']);

async function until(isSo: () => boolean | Promise<boolean | undefined> | undefined, what: string): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not arrive within ${LIMIT_MS / 1_000} s.`);
    await wait(POLL_MS);
  }
}
