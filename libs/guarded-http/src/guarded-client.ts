import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { headerOf, readFetchedResponse, type FetchedResponse, type Resume } from './fetched-response.ts';
import { asFetchError } from './as-fetch-error.ts';
import { checkUrl } from './check-url.ts';
import { download, type Download, type DownloadOptions } from './download.ts';
import { FetchError } from './fetch-error.ts';
import { guardedConnector } from './guarded-connector.ts';
import { begin, send, type BeginOptions, type BegunResponse, type SendOptions, type WholeResponse } from './send.ts';

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16 * 1024;
/** Until the headers of a response have arrived. */
const HEADERS_TIMEOUT_MS = 30_000;
/** No server of media is slower than this; a connection that is only occupies a slot. */
const MIN_BYTES_PER_SECOND = 2 * 1024;
const RATE_WINDOW_MS = 20_000;
const USER_AGENT = 'Fanfare/1.0 (media fetcher)';

/** Fetches URLs from callers and third parties, without access to our own network. */
export interface GuardedClient {
  /**
   * Fetches a URL and passes the response to `use`, which reads the body as it arrives; only a small buffer is in memory. Follows at most five
   * redirects, each checked like the first URL. Closes the connection when `use` returns or throws.
   * @throws FetchError; the reason of `signal` if it was aborted; or what `use` threw
   */
  fetch<T>(url: string, options: FetchOptions, use: (response: FetchedResponse) => Promise<T>): Promise<T>;
  /**
   * Downloads a URL to a new file. If the connection breaks, the download resumes where it stopped if the server supports that and the file there
   * has not changed; otherwise it starts over. On any failure the file is deleted.
   * @throws FetchError; or the reason of `signal` if it was aborted
   */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /**
   * Sends one request and returns the whole response, whatever its status. Does not follow redirects.
   * @throws FetchError; or the reason of `signal` if it was aborted
   */
  send(url: string, options: SendOptions): Promise<WholeResponse>;
  /**
   * The same, but reads only the beginning of the body: a long, slow or broken body is cut and does not make the call fail.
   * @throws FetchError; or the reason of `signal` if it was aborted
   */
  begin(url: string, options: BeginOptions): Promise<BegunResponse>;
  /** Aborts all requests in progress. */
  close(): Promise<void>;
}

export interface FetchOptions {
  /** Largest body in bytes, before and after decompression. A larger Content-Length is rejected at once. */
  readonly maxBytes: number;
  /** For the whole call: name lookups, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** The Accept header. */
  readonly accept?: string;
  /** Requests only the rest of the file. If the response's `offset` is 0, the server sends the current file from its start. */
  readonly resume?: Resume;
  readonly signal?: AbortSignal;
}

export interface GuardedClientOptions {
  /** Origins, such as http://127.0.0.1:4010, whose address and port are not checked. Only for development, never in production. */
  readonly allowedOrigins?: readonly string[];
  /** The User-Agent header; a media fetcher by default. */
  readonly userAgent?: string;
  /** For tests: the name lookup, the check for public addresses, and the window in which the minimum speed is measured. */
  readonly lookup?: LookupFunction;
  readonly isAllowed?: (address: string) => boolean;
  readonly rateWindowMs?: number;
}

/** The client uses no proxy from the environment, keeps no cookies or connections, and sends nothing that identifies the caller. */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const allowedOrigins = new Set((options.allowedOrigins ?? []).map((origin) => new URL(origin).origin));
  const rate = { minBytesPerSecond: MIN_BYTES_PER_SECOND, rateWindowMs: options.rateWindowMs ?? RATE_WINDOW_MS };
  const agent = new Agent({
    connect: guardedConnector({ allowedOrigins, lookup: options.lookup, isAllowed: options.isAllowed }),
    allowH2: false,
    // No keep-alive: each connection is checked for the one request that it is opened for.
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
  });

  const follow = async (firstUrl: string, { accept = '*/*', resume }: FetchOptions, signal: AbortSignal) => {
    // Responses of servers that compress anyway are decoded within the limits.
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': options.userAgent ?? USER_AGENT, ...rangeHeaders(resume) };
    let url = checkUrl(firstUrl, allowedOrigins);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal });
      const location = REDIRECTS.has(response.statusCode) ? headerOf(response.headers, 'location') : undefined;
      if (location === undefined) return { url, response };
      discard(response.body);
      url = checkUrl(location, allowedOrigins, url);
    }
    throw new FetchError('too_many_redirects');
  };

  const client: GuardedClient = {
    async fetch(firstUrl, fetchOptions, use) {
      const { maxBytes, timeoutMs, resume, signal: callerSignal } = fetchOptions;
      const { signal, asThrown } = timed(timeoutMs, callerSignal);

      const { url, response } = await follow(firstUrl, fetchOptions, signal).catch((error: unknown) =>
        Promise.reject(asThrown(error, 'no_response') as Error),
      );
      try {
        const fetched = readFetchedResponse(url, response, resume, { maxBytes, ...rate });
        return await use({ ...fetched, body: convertErrors(fetched.body, (error) => asThrown(error, 'timeout')) });
      } finally {
        discard(response.body);
      }
    },
    async send(url, { timeoutMs, signal: callerSignal, ...sent }) {
      const { signal, asThrown } = timed(timeoutMs, callerSignal);
      return send(agent, allowedOrigins, url, { ...sent, signal }).catch((error: unknown) =>
        Promise.reject(asThrown(error, 'timeout') as Error),
      );
    },
    async begin(url, { timeoutMs, signal: callerSignal, ...sent }) {
      const { signal, asThrown } = timed(timeoutMs, callerSignal);
      return begin(agent, allowedOrigins, url, { ...sent, signal }).catch((error: unknown) =>
        Promise.reject(asThrown(error, 'no_response') as Error),
      );
    },
    download: (url, downloadOptions) => download(client, url, downloadOptions),
    close: () => agent.destroy(),
  };
  return client;
}

/** The signal of a call with a time limit, and a function that turns what it throws into what the caller gets. */
function timed(timeoutMs: number, callerSignal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  return {
    signal: callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout,
    asThrown(error: unknown, onTimeout: 'no_response' | 'timeout'): unknown {
      if (callerSignal?.aborted) return callerSignal.reason as unknown;
      return timeout.aborted ? new FetchError(onTimeout, error) : asFetchError(error);
    },
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume && resume.offset > 0 ? { range: `bytes=${resume.offset}-`, 'if-range': resume.validator } : {};
}

/** Converts the errors that occur while a body is read. */
async function* convertErrors(body: AsyncIterable<Buffer>, convert: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  const arriving = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await arriving.next().catch((error: unknown) => Promise.reject(convert(error) as Error));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await arriving.return?.();
  }
}

/** Closes the connection without reading the body. */
function discard(body: { on(event: 'error', listener: () => void): { destroy(): unknown } }): void {
  body.on('error', () => undefined).destroy();
}
