import type { Deadline } from '@fanfare/runtime';
import { Agent, type Dispatcher } from 'undici';
import { createVersionFallback, type SendVersioned } from './calls/api-version.ts';
import { type Breaker, type BreakerState, createBreaker } from './calls/breaker.ts';
import { encodeBody } from './calls/encode-body.ts';
import { exchange } from './calls/exchange.ts';
import { PlatformFailure } from './calls/failure.ts';
import { at } from './calls/fields.ts';
import type { PlatformResponse, PlatformHttp, PlatformRequest } from './calls/http.ts';
import type { Platform } from './platform.ts';
import { redactSecretsOf } from './calls/redact.ts';
import { connectorFor } from './registry.ts';

const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
const MAX_CONNECTIONS_PER_HOST = 64;
/**
 * How long an idle connection is used again. A server may close one at any time: a commit that is sent at that moment is lost without a response, and X
 * cannot prove that it was. Servers keep idle connections for five seconds and more, so one that was used within the last second is open.
 */
const MAX_IDLE_MS = 1_000;
const BREAKER_RESET_MS = 30_000;

export interface PlatformClientOptions {
  /** An undici dispatcher without redirects, retries and HTTP/2 (`allowH2: false`: undici sends again what an HTTP/2 peer sent back). */
  readonly dispatcher?: Dispatcher;
  /** Base URL of the sandbox, such as `http://127.0.0.1:4460`: `https://HOST/PATH` goes to `{baseUrl}/HOST/PATH`. */
  readonly baseUrl?: string | undefined;
  /** Timeout of every call except commits, which have their connector's own. */
  readonly timeoutMs: number;
  readonly breakerResetMs?: number;
  /** Of the breaker of a platform's calls. Those that delete a post have another one, and neither concerns the other. */
  readonly onBreakerChange?: (platform: Platform, state: BreakerState) => void;
  /** Not called for those that delete a post. */
  readonly onCall?: CallListener;
  /** Versions of platforms' APIs, `YYYYMM`, if they are not those of the connectors. */
  readonly apiVersions?: Readonly<Partial<Record<Platform, string | undefined>>>;
  /** Called once for each version that the platform rejects; `next`, if there is one, is tried instead. */
  readonly onVersionRejected?: (platform: Platform, version: string, next: string | undefined) => void;
}

/**
 * Called when a call starts. Calls that the breaker rejects do not start.
 * @param isTransfer whether it carries media and may take long
 */
export type CallListener = (platform: Platform, isTransfer: boolean) => ObservedCall;

export interface ObservedCall {
  /** The platform took a piece of the body. */
  progress(): void;
  /** Healthy if the platform responded with a status below 500. */
  end(isHealthy: boolean): void;
}

export interface PlatformClient {
  /**
   * @param commitDeadline required for requests marked `commit`: no byte of them is sent after it
   * @param secrets of the account: masked, like each request's own, wherever the platform quotes them in an error
   * @param onCommitSent called right before the first byte of a request marked `commit` is written
   */
  http(platform: Platform, commitDeadline?: Deadline, secrets?: readonly string[], onCommitSent?: () => void): PlatformHttp;
  /** Maps a page's real URL (an authorize page, a post) to the one that people can open. */
  publicUrl(url: string): string;
  close(): Promise<void>;
}

/** The only HTTP client of connectors: for the real hosts, or for the sandbox. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const dispatcher =
    options.dispatcher ??
    new Agent({
      allowH2: false,
      connections: MAX_CONNECTIONS_PER_HOST,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    });
  const breakers = new Map<string, Breaker>();
  // Removals are retried for a day, and must not keep posts from being published meanwhile.
  const breakerOf = (platform: Platform, isRemoval: boolean): Breaker => {
    const key = isRemoval ? `${platform} removals` : platform;
    const known = breakers.get(key);
    if (known) return known;
    const created = createBreaker(options.breakerResetMs ?? BREAKER_RESET_MS, (state) => {
      if (!isRemoval) options.onBreakerChange?.(platform, state);
    });
    breakers.set(key, created);
    return created;
  };
  const versions = new Map<Platform, SendVersioned>();
  const versionOf = (platform: Platform): SendVersioned => {
    const known = versions.get(platform);
    if (known) return known;
    const { apiVersion } = connectorFor(platform);
    if (!apiVersion) throw new TypeError(`requests to ${platform} name no version`);
    const created = createVersionFallback(apiVersion, options.apiVersions?.[platform], (version, next) =>
      options.onVersionRejected?.(platform, version, next),
    );
    versions.set(platform, created);
    return created;
  };

  return {
    http(platform, commitDeadline, secrets = [], onCommitSent) {
      const { hosts } = connectorFor(platform);
      const sendOnce = async (request: PlatformRequest): Promise<PlatformResponse> => {
        if (request.commit && !commitDeadline) throw new TypeError('a commit requires a deadline');
        const deadline = request.commit ? commitDeadline : undefined;
        const url = placed(checkedUrl(request, hosts), options.baseUrl);
        const { contentType, body: encoded } = await encodeBody(request.body);
        const headers = { ...(contentType && { 'content-type': contentType }), 'user-agent': 'fanfare', ...request.headers };
        const timeoutMs = deadline ? deadline.remainingMs() : options.timeoutMs;
        const isRemoval = request.method === 'DELETE';
        return breakerOf(platform, isRemoval).run(async () => {
          const onSent = request.commit ? onCommitSent : undefined;
          const how = { timeoutMs, deadline, onSent, maxResponseBytes: MAX_RESPONSE_BYTES };
          const observed = isRemoval ? undefined : options.onCall?.(platform, isTransfer(request));
          const exchanged = { method: request.method, url, headers, body: encoded, ...how, onPiece: observed?.progress };
          const {
            status,
            headers: responseHeaders,
            body,
          } = await exchange(dispatcher, exchanged).catch((error: unknown) => {
            observed?.end(false);
            throw error;
          });
          observed?.end(status < 500);
          return readResponse(request, secrets, status, responseHeaders, body.toString('utf8'));
        });
      };
      return {
        async send(request) {
          if (!request.versioned) return sendOnce(request);
          return versionOf(platform)((version) => sendOnce({ ...request, headers: { ...request.headers, ...version } }));
        },
      };
    },
    publicUrl: (url) => (URL.canParse(url) && url.startsWith('https://') ? placed(new URL(url), options.baseUrl).href : url),
    async close() {
      for (const breaker of breakers.values()) breaker.shutdown();
      await dispatcher.destroy();
    },
  };
}

const isTransfer = ({ body }: PlatformRequest): boolean => body !== undefined && ('bytes' in body || 'multipart' in body);

function checkedUrl({ url: real, query }: PlatformRequest, hosts: readonly string[]): URL {
  const url = URL.canParse(real) ? new URL(real) : undefined;
  const known = hosts.some((host) => (host.startsWith('.') ? url?.hostname.endsWith(host) : url?.hostname === host));
  if (!url || !known || url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
    throw new PlatformFailure('validation', 'The host does not belong to this platform, so it was not called.', {
      effect: 'not_sent',
      detail: { host: url?.host ?? 'unreadable' },
    });
  }
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

function placed(url: URL, baseUrl: string | undefined): URL {
  return baseUrl === undefined ? url : new URL(`${baseUrl.replace(/\/$/, '')}/${url.host}${url.pathname}${url.search}${url.hash}`);
}

function readResponse(
  request: PlatformRequest,
  secrets: readonly string[],
  status: number,
  headers: PlatformResponse['headers'],
  body: string,
): PlatformResponse {
  const json = parse(body);
  if (!isRejection(status, json)) return { status, headers, json, text: body };
  // Platforms like to quote a bad token in their errors.
  const text = redactSecretsOf(request, secrets, body);
  return { status, headers, json: parse(text), text };
}

/** Some platforms reject requests with status 200. A response with tokens is a success, whatever else it contains. */
const isRejection = (status: number, json: unknown): boolean =>
  status >= 400 || (at(json, 'error') !== undefined && at(json, 'access_token') === undefined);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
