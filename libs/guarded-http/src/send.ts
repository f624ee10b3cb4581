import { buffer } from 'node:stream/consumers';
import { request, type Dispatcher } from 'undici';
import { headerOf } from './answer.ts';
import { atMost, decoded } from './body-limits.ts';
import { checkUrl } from './check-url.ts';

export interface SendOptions {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Largest body of an answer in bytes, before and after decompression. */
  readonly maxBytes: number;
  /** For everything together: names, connection and the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** An answer, all of it. */
export interface WholeAnswer {
  readonly status: number;
  /** By their names in lower case; of one that is there several times, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request, and reads the whole answer. @throws FetchRefused, or what `asRefusal` knows */
export async function send(
  dispatcher: Dispatcher,
  allowedOrigins: ReadonlySet<string>,
  url: string,
  { method, headers, body, maxBytes, signal }: Omit<SendOptions, 'timeoutMs'> & { signal: AbortSignal },
): Promise<WholeAnswer> {
  const sent = { 'accept-encoding': 'identity', ...headers };
  const response = await request(checkUrl(url, allowedOrigins), { dispatcher, method, headers: sent, body: body ?? null, signal });
  try {
    const arriving = atMost(response.body, maxBytes);
    return {
      status: response.statusCode,
      headers: Object.fromEntries(Object.keys(response.headers).map((name) => [name, headerOf(response.headers, name) ?? ''])),
      body: await buffer(decoded(arriving, headerOf(response.headers, 'content-encoding'), maxBytes)),
    };
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
}
