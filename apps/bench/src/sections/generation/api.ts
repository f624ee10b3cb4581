import { setTimeout as wait } from 'node:timers/promises';
import { usageOf } from '../../process-usage.ts';
import type { BenchPlatform } from '../../platform.ts';

const POLL_MS = 50;
const LIMIT_MS = 120_000;

/** A source of many sentences, so that ten drafts differ. */
export const TEXT = Array.from(
  { length: 40 },
  (_, index) =>
    `On day ${index + 1} the bakery tries loaf number ${index + 1}, with flour from mill ${index % 7} and ${index + 2} hours of rest.`,
).join(' ');

export type Json = Readonly<Record<string, unknown>>;

/** A call of the API for the business of the bench. @throws Error unless the status is 2xx */
export async function call(platform: BenchPlatform, method: string, path: string, body?: Json): Promise<Json> {
  const { baseUrl, apiKey, businessId } = platform;
  const url = `${baseUrl}/api/businesses/${businessId}${path}`;
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Json;
}

/** Generates posts and waits for them. */
export async function generate(platform: BenchPlatform, body: Json): Promise<void> {
  await ended(platform, await start(platform, body));
}

export const start = async (platform: BenchPlatform, body: Json): Promise<string> =>
  String((await call(platform, 'POST', '/posts/generate', { content: TEXT, ...body }))['job_id']);

export async function ended(platform: BenchPlatform, jobId: string): Promise<void> {
  for (;;) {
    const { status, error } = await call(platform, 'GET', `/jobs/${jobId}`);
    if (status === 'failed') throw new Error(`A job failed: ${String(error)}`);
    if (status === 'completed') return;
    await wait(POLL_MS);
  }
}

export const generationUsage = async ({ processes }: BenchPlatform) => (await usageOf(processes))['generation'];

/** @returns the time that it took, in milliseconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
