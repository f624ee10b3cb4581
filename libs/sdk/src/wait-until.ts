import { infoOf, type ResponseInfo } from './response-info.ts';
import type { CallOptions } from './call-options.ts';
import { FanfareError } from './fanfare-error.ts';
import { pause } from './pause.ts';

export interface WaitOptions {
  /** Stops waiting. What it waits for continues. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole wait; 15 minutes by default, which is enough for a video. */
  readonly timeoutMs?: number | undefined;
  /** Correlates the calls of one flow: up to 128 visible ASCII characters. */
  readonly flowId?: string | undefined;
}

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
/** When a day's or a week's window is nearly used up, an even pace would be hours; a 429 then says how long. */
const LONGEST_PACE_MS = 60_000;

/**
 * Reads something until it has ended, at growing intervals and no faster than the rate limits allow. Temporary failures do not end the wait.
 * @param isOver whether it has ended; it throws if it never will
 * @param late the message of the error after `timeoutMs`
 * @throws FanfareError with code timed_out, or the API's error; what `isOver` throws; the reason of the caller's own signal
 */
export async function waitUntil<T extends object>(
  { read, isOver, late }: { read: (options: CallOptions) => Promise<T>; isOver: (read: T) => boolean; late: string },
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 15 * 60_000, flowId } = options;
  const endsAt = performance.now() + timeoutMs;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  let failure: unknown;
  try {
    for (let attempt = 0; ; attempt += 1) {
      let waitMs: number;
      try {
        // Its failures are this loop's: whoever waits for minutes need not give up over a server that restarts.
        const current = await read({ signal, flowId, maxRetries: 0 });
        if (isOver(current)) return current;
        waitMs = pollDelayMs(attempt, infoOf(current));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof FanfareError) || !isPassing(error)) throw error;
        failure = error;
        const requiredMs = (error.retryAfterSeconds ?? 0) * 1000;
        if (performance.now() + requiredMs > endsAt) throw error;
        waitMs = Math.max(requiredMs, backoffMs(attempt));
      }
      await pause(waitMs, signal);
    }
  } catch (error) {
    if (!limit.aborted || error !== limit.reason) throw error;
    throw new FanfareError(`${late} within ${timeoutMs} ms.`, { code: 'timed_out', cause: failure ?? error });
  }
}

/** How long to wait before the next look, so that the requests that are left last until their window resets. */
export function pollDelayMs(attempt: number, { headers, rateLimit: { remaining, resetAt } }: ResponseInfo, random = Math.random()): number {
  // By the API's clock, where it can be read: ours may be wrong.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const paceMs = Math.min((resetAt.getTime() - now) / Math.max(remaining, 1), LONGEST_PACE_MS);
  return Math.max(backoffMs(attempt, random), paceMs);
}

const backoffMs = (attempt: number, random = Math.random()) =>
  Math.min(FIRST_DELAY_MS * 1.5 ** attempt, LONGEST_DELAY_MS) * (0.5 + random / 2);

function isPassing({ code, status, retryAfterSeconds }: FanfareError): boolean {
  if (status === undefined) return code !== 'not_publishing';
  return status >= 500 || (status === 429 && retryAfterSeconds !== undefined);
}
