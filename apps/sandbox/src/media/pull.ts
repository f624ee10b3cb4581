import { isIP } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { request } from '@fanfare/runtime/http-client';
import type { Spool, SpooledFile } from './spool.ts';

export type Pulled<Bytes = Buffer> = { ok: true; bytes: Bytes; contentType: string } | { ok: false; why: string };

const timeoutMs = 20_000;

/** Origins of this installation that have no https. */
let plainOrigins: readonly string[] = [];

/** Also accepts plain HTTP from these origins, where the sandbox and the API are not on one machine. */
export function acceptPlainHttpFrom(origins: readonly string[]): void {
  plainOrigins = origins;
}

/**
 * Fetches media as Meta's crawler does: public HTTPS, HEAD and GET without a login, no redirect, a Content-Type that names media.
 * Plain HTTP is accepted only on this machine, where the sandbox simulates the internet, and from the origins of SANDBOX_MEDIA_ORIGINS.
 */
export function pull(url: string, maxBytes: number): Promise<Pulled> {
  // One byte more than allowed is enough to know that it is too much.
  return take(url, (body) => buffer(atMost(body, maxBytes + 1)));
}

/** The same, into a file, for large media. */
export function pullInto(spool: Spool, url: string, maxBytes: number): Promise<Pulled<SpooledFile>> {
  return take(url, (body) => spool.write(atMost(body, maxBytes + 1)));
}

async function take<Bytes>(url: string, read: (body: AsyncIterable<Buffer>) => Promise<Bytes>): Promise<Pulled<Bytes>> {
  const rejected = rejectUrl(url);
  if (rejected) return { ok: false, why: rejected };
  try {
    const head = await send('HEAD', url);
    await head.body.dump();
    if (head.statusCode !== 200) return { ok: false, why: `HEAD returned ${head.statusCode}` };
    const got = await send('GET', url);
    if (got.statusCode !== 200) {
      await got.body.dump();
      return { ok: false, why: `GET returned ${got.statusCode}` };
    }
    const bytes = await read(got.body);
    const contentType =
      String(got.headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim()
        .toLowerCase() ?? '';
    return { ok: true, bytes, contentType };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

function rejectUrl(text: string): string | null {
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  if (/(^|\.)fbcdn\.net$/.test(url.hostname)) return 'fbcdn addresses are not accepted';
  const own = url.hostname === 'localhost' || url.hostname === '[::1]' || (isIP(url.hostname) === 4 && url.hostname.startsWith('127.'));
  const plain = own || plainOrigins.includes(url.origin);
  return url.protocol === 'https:' || (url.protocol === 'http:' && plain) ? null : 'only https addresses are accepted';
}

function send(method: 'HEAD' | 'GET', url: string) {
  return request(url, {
    method,
    headers: { 'user-agent': 'facebookexternalhit/1.1', accept: '*/*' },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** Reads up to the limit, plus the rest of the last chunk. */
export async function* atMost(body: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    yield chunk;
    size += chunk.length;
    if (size >= limit) break;
  }
}
