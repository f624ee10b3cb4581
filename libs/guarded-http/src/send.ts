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
  /** For the whole call: name lookup, connection and response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A response with its body. */
export interface WholeResponse {
  readonly status: number;
  /** By lower-case name; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request and reads the whole response. @throws FetchError, or an error that `asFetchError` converts */
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
