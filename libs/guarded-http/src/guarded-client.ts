import { open, rm } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { atMost, decoderFor } from './body-limits.ts';
import { checkUrl } from './check-url.ts';
import { FetchRefused, type RefusalReason } from './fetch-refused.ts';
import { guardedConnector } from './guarded-connector.ts';

const MAX_REDIRECTS = 5;
const USER_AGENT = 'Fanfare/1.0 (media fetcher)';

/** Fetches URLs that callers give, without letting them reach into our network. */
export interface GuardedClient {
  /**
   * Downloads a URL into a new file, following at most five redirects, each checked like the first URL. Never holds more than a small buffer
   * in memory. On any failure the file is gone.
   * @throws FetchRefused with the reason; or the signal's reason when the caller gave up
   */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

export interface DownloadOptions {
  /** Where the bytes go; must not exist yet. */
  readonly toFile: string;
  /** Largest body in bytes, before and after decompression; what Content-Length claims is not believed. */
  readonly maxBytes: number;
  /** For everything together: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** The Accept header. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

export interface Download {
  /** The URL that answered, after redirects. */
  readonly finalUrl: string;
  /** As the server claims; not checked against the bytes. */
  readonly contentType: string | undefined;
  readonly sizeBytes: number;
}

export interface GuardedClientOptions {
  /** Origins, such as http://127.0.0.1:4010, whose address and port are not checked. For development only: never in production. */
  readonly allowedOrigins?: readonly string[];
  /** Stand-ins for tests: the name lookup, and which addresses count as public. */
  readonly lookup?: LookupFunction;
  readonly isAllowed?: (address: string) => boolean;
}

/** Uses no proxy from the environment, keeps no cookies, and sends nothing that tells one caller from another. */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const allowedOrigins = new Set((options.allowedOrigins ?? []).map((origin) => new URL(origin).origin));
  const agent = new Agent({
    connect: guardedConnector({ allowedOrigins, lookup: options.lookup, isAllowed: options.isAllowed }),
    allowH2: false,
    keepAliveMaxTimeout: 10_000,
  });

  const follow = async (firstUrl: string, accept: string, signal: AbortSignal) => {
    let url = checkUrl(firstUrl, allowedOrigins);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      // Asked for plainly; a server that compresses all the same is decoded within the limits.
      const headers = { accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT };
      const answer = await request(url, { dispatcher: agent, method: 'GET', headers, signal });
      const location = redirectTarget(answer);
      if (location === undefined) return { url, answer };
      discard(answer.body);
      url = checkUrl(location, allowedOrigins, url);
    }
    throw new FetchRefused('too_many_redirects');
  };

  return {
    async download(firstUrl, { toFile, maxBytes, timeoutMs, accept = '*/*', signal: callerSignal }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout;
      try {
        const { url, answer } = await follow(firstUrl, accept, signal);
        const sizeBytes = await writeBody(answer, toFile, maxBytes, signal);
        return { finalUrl: url.href, contentType: header(answer, 'content-type'), sizeBytes };
      } catch (error) {
        callerSignal?.throwIfAborted();
        throw timeout.aborted ? new FetchRefused('timeout', error) : asRefusal(error);
      }
    },
    close: () => agent.destroy(),
  };
}

async function writeBody(answer: Dispatcher.ResponseData, toFile: string, maxBytes: number, signal: AbortSignal): Promise<number> {
  try {
    if (answer.statusCode !== 200) throw new FetchRefused(`status_${answer.statusCode}`);
    if (Number(header(answer, 'content-length')) > maxBytes) throw new FetchRefused('too_large');
    const decoders = decoderFor(header(answer, 'content-encoding'), maxBytes);
    const file = await open(toFile, 'wx', 0o600);
    try {
      const sink = file.createWriteStream();
      await pipeline([answer.body, atMost(maxBytes), ...decoders, sink], { signal });
      return sink.bytesWritten;
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(toFile, { force: true });
      throw error;
    }
  } finally {
    discard(answer.body);
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget(answer: Dispatcher.ResponseData): string | undefined {
  return REDIRECTS.has(answer.statusCode) ? header(answer, 'location') : undefined;
}

function header(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Drops a body unread, whatever its length. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

const REASON_BY_CODE: Readonly<Record<string, RefusalReason>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'incomplete',
  UND_ERR_INVALID_ARG: 'bad_url',
};

function asRefusal(error: unknown): unknown {
  if (error instanceof FetchRefused) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Our own disk is not the caller's fault.
  if (syscall === 'open' || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code)) return error;
  if (/^(Z_|ERR_BROTLI|ERR__)/.test(code)) return new FetchRefused('bad_encoding', error);
  return new FetchRefused(REASON_BY_CODE[code] ?? 'unreachable', error);
}
