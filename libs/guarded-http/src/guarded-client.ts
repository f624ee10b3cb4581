import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { headerOf, readFetchedResponse, type FetchedResponse, type Resume } from './fetched-response.ts';
import { asRefusal } from './as-refusal.ts';
import { checkUrl } from './check-url.ts';
import { download, type Download, type DownloadOptions } from './download.ts';
import { FetchRefused } from './fetch-refused.ts';
import { guardedConnector } from './guarded-connector.ts';
import { send, type SendOptions, type WholeResponse } from './send.ts';

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16 * 1024;
/** Until a response begins. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Slower than this nobody serves media: it holds a place open, and nothing else. */
const MIN_BYTES_PER_SECOND = 2 * 1024;
const RATE_WINDOW_MS = 20_000;
const USER_AGENT = 'Fanfare/1.0 (media fetcher)';

/** Fetches URLs that others give, without letting them reach into our network. */
export interface GuardedClient {
  /**
   * Fetches a URL, following at most five redirects, each checked like the first URL, and hands the response to `use`, which reads the body as it
   * comes: no more than a small buffer is held. When `use` is done, or gives up, the connection is closed.
   * @throws FetchRefused with the reason; the signal's reason when the caller gave up; or what `use` threw
   */
  fetch<T>(url: string, options: FetchOptions, use: (response: FetchedResponse) => Promise<T>): Promise<T>;
  /**
   * Downloads a URL into a new file. When the connection breaks, it goes on where it was, from servers that can do that and if the file there is
   * still the same; else it begins anew. On any failure the file is gone.
   * @throws FetchRefused with the reason; or the signal's reason when the caller gave up
   */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /**
   * Sends one request and reads the whole response, whatever its status; a redirect is a response too.
   * @throws FetchRefused with the reason; or the signal's reason when the caller gave up
   */
  send(url: string, options: SendOptions): Promise<WholeResponse>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

export interface FetchOptions {
  /** Largest body in bytes, before and after decompression; what Content-Length claims can only refuse earlier. */
  readonly maxBytes: number;
  /** For everything together: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** The Accept header. */
  readonly accept?: string;
  /** Asks for the rest alone. The response's `offset` tells whether the server did; else it sends the whole as it is now. */
  readonly resume?: Resume;
  readonly signal?: AbortSignal;
}

export interface GuardedClientOptions {
  /** Origins, such as http://127.0.0.1:4010, whose address and port are not checked. For development only: never in production. */
  readonly allowedOrigins?: readonly string[];
  /** What it calls itself; it fetches media unless given. */
  readonly userAgent?: string;
  /** Stand-ins for tests: the name lookup, which addresses count as public, and how soon a slow server is cut. */
  readonly lookup?: LookupFunction;
  readonly isAllowed?: (address: string) => boolean;
  readonly rateWindowMs?: number;
}

/** Uses no proxy from the environment, keeps no cookies and no connections, and sends nothing that tells one caller from another. */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const allowedOrigins = new Set((options.allowedOrigins ?? []).map((origin) => new URL(origin).origin));
  const rate = { minBytesPerSecond: MIN_BYTES_PER_SECOND, rateWindowMs: options.rateWindowMs ?? RATE_WINDOW_MS };
  const agent = new Agent({
    connect: guardedConnector({ allowedOrigins, lookup: options.lookup, isAllowed: options.isAllowed }),
    allowH2: false,
    // No connection is used twice: each is checked for the request that it is made for.
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
  });

  const follow = async (firstUrl: string, { accept = '*/*', resume }: FetchOptions, signal: AbortSignal) => {
    // Asked for plainly; a server that compresses all the same is decoded within the limits.
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': options.userAgent ?? USER_AGENT, ...rangeHeaders(resume) };
    let url = checkUrl(firstUrl, allowedOrigins);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await request(url, { dispatcher: agent, method: 'GET', headers, signal });
      const location = REDIRECTS.has(response.statusCode) ? headerOf(response.headers, 'location') : undefined;
      if (location === undefined) return { url, response };
      discard(response.body);
      url = checkUrl(location, allowedOrigins, url);
    }
    throw new FetchRefused('too_many_redirects');
  };

  const client: GuardedClient = {
    async fetch(firstUrl, fetchOptions, use) {
      const { maxBytes, timeoutMs, resume, signal: callerSignal } = fetchOptions;
      const { signal, told } = timed(timeoutMs, callerSignal);

      const { url, response } = await follow(firstUrl, fetchOptions, signal).catch((error: unknown) =>
        Promise.reject(told(error, 'no_answer') as Error),
      );
      try {
        const fetched = readFetchedResponse(url, response, resume, { maxBytes, ...rate });
        return await use({ ...fetched, body: telling(fetched.body, (error) => told(error, 'timeout')) });
      } finally {
        discard(response.body);
      }
    },
    async send(url, { timeoutMs, signal: callerSignal, ...sent }) {
      const { signal, told } = timed(timeoutMs, callerSignal);
      return send(agent, allowedOrigins, url, { ...sent, signal }).catch((error: unknown) =>
        Promise.reject(told(error, 'timeout') as Error),
      );
    },
    download: (url, downloadOptions) => download(client, url, downloadOptions),
    close: () => agent.destroy(),
  };
  return client;
}

/** One time for all of a call, and what went wrong in it, told. */
function timed(timeoutMs: number, callerSignal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  return {
    signal: callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout,
    told(error: unknown, late: 'no_answer' | 'timeout'): unknown {
      if (callerSignal?.aborted) return callerSignal.reason as unknown;
      return timeout.aborted ? new FetchRefused(late, error) : asRefusal(error);
    },
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume && resume.offset > 0 ? { range: `bytes=${resume.offset}-`, 'if-range': resume.validator } : {};
}

/** What goes wrong while a body is read is told like everything else. */
async function* telling(body: AsyncIterable<Buffer>, told: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  const arriving = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await arriving.next().catch((error: unknown) => Promise.reject(told(error) as Error));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await arriving.return?.();
  }
}

/** Drops a body unread, whatever its length. */
function discard(body: { on(event: 'error', listener: () => void): { destroy(): unknown } }): void {
  body.on('error', () => undefined).destroy();
}
