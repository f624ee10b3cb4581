import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPlatform } from '../platform.ts';

const WARM_UP = 5;
const LIMIT_MS = 20_000;
const POLL_MS = 20;
const PLATFORM = 'facebook';

/**
 * Publishes text posts one after the other. The sandbox records when a call arrived; both clocks are this machine's, to the millisecond.
 * @returns for each post the milliseconds from sending our publish call until the platform received the call to post
 */
export async function publishLatency(platform: BenchPlatform, count: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let at = 0; at < WARM_UP + count; at++) {
    const ms = await publishOne(platform);
    if (at >= WARM_UP) tookMs.push(ms);
  }
  return tookMs;
}

async function publishOne({ baseUrl, apiKey, businessId, sandboxUrl }: BenchPlatform): Promise<number> {
  const posts = `${baseUrl}/api/businesses/${businessId}/posts`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const caption = `Bench ${randomUUID()}`;
  const body = JSON.stringify({ caption, restrict_publish_to: [PLATFORM] });
  const { id } = (await call(posts, { method: 'POST', headers, body })) as { id: string };

  const requestedAt = Date.now();
  await call(`${posts}/${id}/publish`, { method: 'POST', headers, body: '{}' });
  const since = new Date(requestedAt).toISOString();
  for (;;) {
    const query = new URLSearchParams({ platform: PLATFORM, since, limit: '20' });
    const { items } = (await call(`${sandboxUrl}/_control/requests?${query.toString()}`)) as {
      items: { at: string; method: string; body: unknown }[];
    };
    const commit = items.find(({ method, body: sent }) => method === 'POST' && JSON.stringify(sent).includes(caption));
    if (commit) return Date.parse(commit.at) - requestedAt;
    if (Date.now() - requestedAt > LIMIT_MS)
      throw new Error(`The sandbox received no call to post within ${LIMIT_MS / 1000} s; see .fanfare/bench/logs/publisher.log.`);
    await wait(POLL_MS);
  }
}

async function call(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
