/**
 * A point in time after which something must not be begun any more.
 *
 * It runs on the monotonic clock, so that a clock that is set back cannot extend it, and on the wall clock, so that a machine that was asleep
 * (its monotonic clock stood still) notices too. Whichever passes first decides.
 */
export interface Deadline {
  passed(): boolean;
  /** Milliseconds left, 0 when passed. */
  remainingMs(): number;
}

/** Milliseconds until the deadline of a gRPC call, which is in this machine's time, not in the database's; negative when it has passed. */
export const msUntil = (deadline: Date): number => deadline.getTime() - Date.now();

/** @param ms from now, in milliseconds */
export function deadlineIn(ms: number): Deadline {
  const monotonicEnd = performance.now() + ms;
  const wallEnd = Date.now() + ms;
  const remainingMs = () => Math.max(0, Math.min(monotonicEnd - performance.now(), wallEnd - Date.now()));
  return { remainingMs, passed: () => remainingMs() === 0 };
}
