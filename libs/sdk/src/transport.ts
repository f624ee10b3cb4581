import type { CallOptions } from './call-options.ts';
import { errorOf, FanfareError } from './fanfare-error.ts';
import { pause } from './pause.ts';
import { retryDelayMs } from './retry.ts';
import { userAgent } from './version.ts';

export interface TransportSettings {
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  readonly version: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/**
 * Sends a request, and retries it where a retry can help.
 * @throws FanfareError for every response but 2xx, and when there is none; the reason of the caller's own signal
 */
export async function send(settings: TransportSettings, options: CallOptions, request: Request): Promise<Response> {
  const { maxRetries = settings.maxRetries, timeoutMs = settings.timeoutMs } = options;
  request.headers.set('Accept', 'application/problem+json, application/json');
  request.headers.set('Service-Version', settings.version);
  const agent = userAgent();
  if (agent !== undefined) request.headers.set('User-Agent', agent);
  if (options.flowId !== undefined) request.headers.set('X-Flow-ID', options.flowId);

  for (let attempt = 0; ; attempt += 1) {
    // Read before each try: a token may have been refreshed.
    const credential = typeof settings.apiKey === 'function' ? await settings.apiKey() : settings.apiKey;
    if (credential !== undefined) request.headers.set('Authorization', `Bearer ${credential}`);
    const outcome = await sendOnce(settings, request, timeoutMs, options.signal);
    if (outcome instanceof Response) return outcome;
    const waitMs = attempt < maxRetries ? retryDelayMs(outcome, request, attempt) : undefined;
    if (waitMs === undefined) throw outcome;
    await pause(waitMs, options.signal);
  }
}

async function sendOnce(
  settings: TransportSettings,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Response | FanfareError> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    // A body can be sent once: every try gets a copy.
    const copy = new Request(request.clone(), { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    const response = await settings.fetch(copy);
    // Read here, so that a response that breaks off counts as none.
    const whole = new Response(await response.text(), response);
    return whole.ok ? whole : await errorOf(whole);
  } catch (cause) {
    signal?.throwIfAborted();
    if (limit.aborted) return new FanfareError(`No response within ${timeoutMs} ms.`, { code: 'timed_out', cause });
    return new FanfareError(`${new URL(request.url).origin} could not be reached.`, { code: 'connection_failed', cause });
  }
}
