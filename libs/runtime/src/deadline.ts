/**
 * A point in time after which something must not be started any more.
 *
 * It uses the monotonic clock, so that a clock that is set back cannot extend it, and the system clock, so that it also passes while the machine sleeps
 * (its monotonic clock is stopped then). The one that passes first decides.
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
