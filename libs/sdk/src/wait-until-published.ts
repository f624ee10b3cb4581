import { infoOf, type ResponseInfo } from './response-info.ts';
import type { CallOptions } from './call-options.ts';
import { FanfareError } from './fanfare-error.ts';
import type { Post } from './gen/types.gen.ts';
import { pause } from './pause.ts';

export interface WaitOptions {
  /** Stops waiting. The post is published all the same. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole wait; 15 minutes, as a platform may take that long over a video. */
  readonly timeoutMs?: number | undefined;
  /** Correlates the calls of one flow: up to 128 visible ASCII characters. */
  readonly flowId?: string | undefined;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** When a day's or a week's window is nearly used up, an even pace would be hours; a 429 then tells how long. */
const LONGEST_PACE_MS = 60_000;

/**
 * Reads a post until it waits for no time and each of its results is success or failed, or it could not be sent at all (`last_failure`).
 * @throws FanfareError with code timed_out or not_publishing, or the API's error; the reason of the caller's own signal
 */
export async function waitUntilPublished(read: (options: CallOptions) => Promise<Post>, options: WaitOptions = {}): Promise<Post> {
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
        const post = await read({ signal, flowId, maxRetries: 0 });
        if (isOver(post)) return post;
        waitMs = pollDelayMs(attempt, infoOf(post));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof FanfareError) || !isPassing(error)) throw error;
        failure = error;
        const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
        if (performance.now() + askedMs > endsAt) throw error;
        waitMs = Math.max(askedMs, backoffMs(attempt));
      }
      await pause(waitMs, signal);
    }
  } catch (error) {
    if (!limit.aborted || error !== limit.reason) throw error;
    throw new FanfareError(`The post was not published on every account within ${timeoutMs} ms; it may be later.`, {
      code: 'timed_out',
      cause: failure ?? error,
    });
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
  Math.min(FIRST_PAUSE_MS * 1.5 ** attempt, LONGEST_PAUSE_MS) * (0.5 + random / 2);

/** Results that a scheduled post has are of an earlier time, or of accounts that it was sent to ahead of its time. */
function isOver({ status, publish_results: results, last_failure }: Post): boolean {
  if (status === 'SCHEDULED') return false;
  if (results.length > 0) return results.every((result) => result.status === 'success' || result.status === 'failed');
  if (status === 'PUBLISHED' || last_failure) return true;
  throw new FanfareError(`The post is ${status} and is not being published: publish or schedule it first.`, { code: 'not_publishing' });
}

function isPassing({ code, status, retryAfterSeconds }: FanfareError): boolean {
  if (status === undefined) return code !== 'not_publishing';
  return status >= 500 || (status === 429 && retryAfterSeconds !== undefined);
}
