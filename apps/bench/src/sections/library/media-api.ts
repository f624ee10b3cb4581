import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { BenchPlatform } from '../../platform.ts';

/** The members of a media that the bench needs. */
export interface MediaResponse {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly error: unknown;
}

const LIMIT_MS = 10 * 60_000;
const POLL_MS = 250;

/** Uploads a file as a caller does, in one multipart body that is streamed. */
export async function upload({ baseUrl, businessId, apiKey }: BenchPlatform, bytes: AsyncIterable<Buffer>): Promise<MediaResponse> {
  const boundary = randomUUID();
  const response = await request(`${baseUrl}/api/businesses/${businessId}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Readable.from(multipart(boundary, bytes)),
    headersTimeout: LIMIT_MS,
    bodyTimeout: LIMIT_MS,
  });
  return read(response, 201);
}

async function* multipart(boundary: string, bytes: AsyncIterable<Buffer>) {
  yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bench.mp4"\r\n\r\n`);
  yield* bytes;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Imports a URL, and waits until that is done. */
export async function importUrl(platform: BenchPlatform, url: string): Promise<MediaResponse> {
  const { baseUrl, businessId, apiKey } = platform;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await request(`${baseUrl}/api/media/from-url`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ business_id: businessId, url }),
    headersTimeout: LIMIT_MS,
  });
  const media = await read(response, response.statusCode === 202 ? 202 : 201);
  return whenReady(platform, media);
}

async function whenReady({ baseUrl, businessId, apiKey }: BenchPlatform, media: MediaResponse): Promise<MediaResponse> {
  for (let now = media; ;) {
    if (now.status === 'ready') return now;
    if (now.status === 'failed') throw new Error(`Media ${now.id} failed: ${JSON.stringify(now.error)}`);
    await wait(POLL_MS);
    const headers = { authorization: `Bearer ${apiKey}` };
    now = await read(await request(`${baseUrl}/api/businesses/${businessId}/media/${media.id}`, { headers }), 200);
  }
}

async function read({ statusCode, body }: Awaited<ReturnType<typeof request>>, expected: number): Promise<MediaResponse> {
  if (statusCode !== expected) throw new Error(`It returned ${statusCode}: ${(await body.text()).slice(0, 300)}`);
  return (await body.json()) as MediaResponse;
}
