import { buffer } from 'node:stream/consumers';
import { request, type Dispatcher } from 'undici';
import { headerOf } from './fetched-response.ts';
import { atMost, beginningOf, decoded, type Beginning } from './body-limits.ts';
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

export type BeginOptions = SendOptions & {
  /** How long to read the body, after the headers have arrived. */
  readonly bodyMs: number;
};

/** A response with its body. */
export interface WholeResponse {
  readonly status: number;
  /** By lower-case name; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response with the beginning of its body, which is not decoded. */
export type BegunResponse = Pick<WholeResponse, 'status' | 'headers'> & Beginning;

/** Sends one request and reads only the beginning of the body. @throws FetchError, or an error that `asFetchError` converts */
export async function begin(
  dispatcher: Dispatcher,
  allowedOrigins: ReadonlySet<string>,
  url: string,
  { maxBytes, bodyMs, ...sent }: Omit<BeginOptions, 'timeoutMs'> & { signal: AbortSignal },
): Promise<BegunResponse> {
  const response = await requestOnce(dispatcher, allowedOrigins, url, sent);
  try {
    return { ...headOf(response), ...(await beginningOf(response.body, maxBytes, bodyMs)) };
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
}

/** Sends one request and reads the whole response. @throws FetchError, or an error that `asFetchError` converts */
export async function send(
  dispatcher: Dispatcher,
  allowedOrigins: ReadonlySet<string>,
  url: string,
  { maxBytes, ...sent }: Omit<SendOptions, 'timeoutMs'> & { signal: AbortSignal },
): Promise<WholeResponse> {
  const response = await requestOnce(dispatcher, allowedOrigins, url, sent);
  try {
    const arriving = atMost(response.body, maxBytes);
    return {
      ...headOf(response),
      body: await buffer(decoded(arriving, headerOf(response.headers, 'content-encoding'), maxBytes)),
    };
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
}

const requestOnce = (
  dispatcher: Dispatcher,
  allowedOrigins: ReadonlySet<string>,
  url: string,
  { method, headers, body, signal }: Pick<SendOptions, 'method' | 'headers' | 'body'> & { signal: AbortSignal },
) =>
  request(checkUrl(url, allowedOrigins), {
    ...{ dispatcher, method, signal },
    // The time limit of the call, in `signal`, is the only one.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
  });

const headOf = ({ statusCode: status, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>) => ({
  status,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? ''])),
});
