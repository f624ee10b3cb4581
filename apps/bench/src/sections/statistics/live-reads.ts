import type { BenchPlatform } from '../../platform.ts';
import { percentile } from '../../percentile.ts';
import { atMost } from '../../report/table.ts';
import type { Figure } from '../figure.ts';
import { organizations, type Organization } from '../organizations.ts';

const ADDED_MS = 5;
/** The response time of the platform. */
const PLATFORM_MS = 50;
/** Per account: not more than the limit of reads per hour. */
const READS = 20;
const WARM_UP = { cached: 4_000, live: 8 };
const READERS = 50;
/** X returns the statistics of an account in one call. */
const CALL = 'x.get_me';

/**
 * The time of a live read beyond that of the same call sent to the platform directly, one after the other; and how many calls the platform gets for
 * many concurrent readers.
 */
export async function liveReads(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  say('live reads of statistics');
  const readers = await organizations(platform, ['x']);
  await Promise.all(readers.map((reader) => repeat(WARM_UP.cached / readers.length, () => readStats(reader, day(0)))));
  const removeDelay = await delayed(platform);
  try {
    const tookMs: number[] = [];
    const directMs: number[] = [];
    const timed = async (reader: Organization, read: number) => {
      const begun = performance.now();
      await readStats(reader, day(1 + read));
      const ended = performance.now();
      await callDirectly(platform);
      if (read < WARM_UP.live) return;
      tookMs.push(ended - begun);
      directMs.push(performance.now() - ended);
    };
    await repeat(WARM_UP.live + READS, (read) => inTurn(readers, (reader) => timed(reader, read)));
    const before = await upstreamCalls(platform);
    const [one] = readers as [Organization];
    await Promise.all(Array.from({ length: READERS }, () => readStats(one, day(1 + WARM_UP.live + READS))));
    const calls = (await upstreamCalls(platform)) - before;
    const platformMs = percentile(directMs, 50);
    const addedMs = percentile(tookMs, 50) - platformMs;
    return [
      {
        what: `a live read, beyond the ${platformMs.toFixed(1)} ms of the platform (p50; p95: ${(percentile(tookMs, 95) - platformMs).toFixed(1)} ms)`,
        measured: `${addedMs.toFixed(1)} ms`,
        target: `≤ ${ADDED_MS} ms`,
        verdict: atMost(ADDED_MS, addedMs),
      },
      { what: `calls of the platform for ${READERS} readers at once`, measured: `${calls}`, target: '1', verdict: atMost(1, calls) },
    ];
  } finally {
    await removeDelay();
  }
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one);
}

async function repeat(times: number, work: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < times; index++) await work(index);
}

/** Different ranges, so that none is cached. */
const day = (back: number) => new Date(Date.now() - (back + 1) * 86_400_000).toISOString().slice(0, 10);

async function readStats({ baseUrl, apiKey, businessId, integrations }: Organization, start: string): Promise<void> {
  const url = `${baseUrl}/api/businesses/${businessId}/integrations/${integrations['x']}/stats?start_date=${start}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${url} returned ${response.status}: ${text.slice(0, 300)}`);
}

/** The call of a live read, without a token: its time is the platform's delay and a request on this machine. */
async function callDirectly({ sandboxUrl }: BenchPlatform): Promise<void> {
  const response = await fetch(`${sandboxUrl}/api.x.com/2/users/me`, { signal: AbortSignal.timeout(10_000) });
  await response.text();
}

async function delayed({ sandboxUrl }: BenchPlatform): Promise<() => Promise<void>> {
  const fault = { platform: 'x', call: CALL, times: null, fault: { type: 'delay', ms: PLATFORM_MS } };
  const response = await fetch(`${sandboxUrl}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!response.ok) throw new Error(`The sandbox rejected the delay: ${await response.text()}`);
  return async () => void (await fetch(`${sandboxUrl}/_control/faults`, { method: 'DELETE' }));
}

async function upstreamCalls({ sandboxUrl }: BenchPlatform): Promise<number> {
  const response = await fetch(`${sandboxUrl}/_control/requests?limit=1000&platform=x`);
  const { items } = (await response.json()) as { items: { operation: string | null }[] };
  return items.filter(({ operation }) => operation === CALL).length;
}
