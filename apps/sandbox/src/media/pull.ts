import { isIP } from 'node:net';
import { request } from 'undici';

export type Pulled = { ok: true; bytes: Buffer; contentType: string } | { ok: false; why: string };

const timeoutMs = 20_000;

/**
 * Fetches media as Meta's crawler does: public HTTPS, HEAD and GET without a login, no redirect, a Content-Type that names media.
 * Plain HTTP is accepted for this machine alone, since there the sandbox stands for the outside world.
 */
export async function pull(url: string, maxBytes: number): Promise<Pulled> {
  const refused = refuseUrl(url);
  if (refused) return { ok: false, why: refused };
  try {
    const head = await ask('HEAD', url);
    await head.body.dump();
    if (head.statusCode !== 200) return { ok: false, why: `HEAD answered ${head.statusCode}` };
    const got = await ask('GET', url);
    if (got.statusCode !== 200) {
      await got.body.dump();
      return { ok: false, why: `GET answered ${got.statusCode}` };
    }
    const bytes = await readAtMost(got.body, maxBytes + 1);
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

function refuseUrl(text: string): string | null {
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  if (/(^|\.)fbcdn\.net$/.test(url.hostname)) return 'fbcdn addresses are not accepted';
  const own = url.hostname === 'localhost' || url.hostname === '[::1]' || (isIP(url.hostname) === 4 && url.hostname.startsWith('127.'));
  return url.protocol === 'https:' || (url.protocol === 'http:' && own) ? null : 'only https addresses are accepted';
}

function ask(method: 'HEAD' | 'GET', url: string) {
  return request(url, {
    method,
    headers: { 'user-agent': 'facebookexternalhit/1.1', accept: '*/*' },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** One byte more than allowed is enough to know that it is too much. */
async function readAtMost(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks);
}
