import { buffer } from 'node:stream/consumers';
import { request, type Dispatcher } from 'undici';
import { headerOf } from './fetched-response.ts';
import { atMost, decoded } from './body-limits.ts';
import { checkUrl } from './check-url.ts';

export interface SendOptions {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Largest body of a response in bytes, before and after decompression. */
  readonly maxBytes: number;
  /** For everything together: names, connection and the whole response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A response, all of it. */
export interface WholeResponse {
  readonly status: number;
  /** By their names in lower case; of one that is there several times, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request, and reads the whole response. @throws FetchRefused, or what `asRefusal` knows */
export async function send(
  dispatcher: Dispatcher,
  allowedOrigins: ReadonlySet<string>,
  url: string,
  { method, headers, body, maxBytes, signal }: Omit<SendOptions, 'timeoutMs'> & { signal: AbortSignal },
): Promise<WholeResponse> {
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
