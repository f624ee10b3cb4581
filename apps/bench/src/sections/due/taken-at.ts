import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPlatform } from '../../platform.ts';

const LIMIT_MS = 3 * 60_000;
const POLL_MS = 200;

/** Waits until the sandbox has these posts, and returns when each arrived: both clocks are this machine's. @returns in the order of the captions */
export async function takenAt({ sandboxUrl }: BenchPlatform, captions: readonly string[], since: Date): Promise<Date[]> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const taken = await whatWasTaken(sandboxUrl, since);
    const missing = captions.filter((caption) => !taken.has(caption));
    if (missing.length === 0) return captions.map((caption) => taken.get(caption) as Date);
    if (performance.now() > end) throw new Error(`${missing.length} posts have not arrived after ${LIMIT_MS / 1000} s.`);
    await untilMore(sandboxUrl, missing.length, end);
  }
}

/** Reads only their number, so that polling costs the sandbox nothing that would be measured. */
async function untilMore(sandboxUrl: string, missing: number, end: number): Promise<void> {
  const posts = async () => (await read<{ posts: number }>(`${sandboxUrl}/_control/health`)).posts;
  const before = await posts();
  while ((await posts()) < before + missing && performance.now() < end) await wait(POLL_MS);
}

async function whatWasTaken(sandboxUrl: string, since: Date): Promise<Map<string, Date>> {
  const query = new URLSearchParams({ since: since.toISOString(), limit: '20000' });
  const { items } = await read<{ items: { at: string; method: string; body: unknown }[] }>(
    `${sandboxUrl}/_control/requests?${query.toString()}`,
  );
  const sent = items.filter(({ method }) => method === 'POST');
  return new Map(sent.flatMap(({ at, body }) => captionsIn(body).map((caption) => [caption, new Date(at)] as const)));
}

/** The text of a post, whatever the platform calls it. */
const captionsIn = (body: unknown): string[] => Object.values(body ?? {}).filter((value) => typeof value === 'string');

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`GET ${url} returned ${response.status}.`);
  return (await response.json()) as T;
}
