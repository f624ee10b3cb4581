import type { FanfareError } from './fanfare-error.ts';

/** A window may reset only next week: a required wait that is longer than this becomes an error at once. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;

/**
 * How long to wait before another try; undefined when there should be none. Reads, and whatever has an idempotency key, may be repeated whenever
 * there is hope. An edit may have been carried out although its response was lost; only a 429 says that it was not.
 * @param attempt 0 after the first try
 * @param random from 0 to 1: clients that failed together should not come back together
 */
export function retryDelayMs(error: FanfareError, request: Request, attempt: number, random = Math.random()): number | undefined {
  const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key');
  // A 429 without a time to come back is no matter of time; one with a day, for a storage that is full, is above the longest wait.
  if (error.status === 429 && error.retryAfterSeconds === undefined) return undefined;
  const isLimited = error.status === 429;
  if (!isLimited && !(isRepeatable && isPassing(error))) return undefined;
  const backoffMs = FIRST_WAIT_MS * 2 ** attempt * (0.5 + random / 2);
  const waitMs = Math.max(backoffMs, (error.retryAfterSeconds ?? 0) * 1000);
  return waitMs > LONGEST_WAIT_MS ? undefined : waitMs;
}

const isPassing = ({ status }: FanfareError) => status === undefined || status >= 500;
