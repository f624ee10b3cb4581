import { countsOf, WINDOWS, type Counts, type KeyShare, type Limits, type SharedCounts, type WindowName } from '../store/rate-windows.ts';

/** One window as responses show it. */
export interface Window {
  readonly name: WindowName;
  /** It counts all keys of the organization together. */
  readonly isShared?: boolean;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** @param unused permits that are charged but not used yet */
export function windowsOf(counts: Counts, limits: Limits, unused = 0): Window[] {
  return WINDOWS.map(({ name, ms, limit }) => {
    const used = counts[name].used - unused;
    const resetAt = new Date(counts[name].start.getTime() + ms);
    return { name, limit: limits[limit], used, remaining: Math.max(0, limits[limit] - used), resetAt };
  });
}

/** The windows of a key, followed by those that it shares with the other keys of its organization. */
export function keyWindows(counts: SharedCounts, limits: Limits, key: KeyShare, unused = 0): Window[] {
  const shared = windowsOf(counts, limits, unused).map((window) => ({ ...window, isShared: true }));
  return [...windowsOf(countsOf(counts, key), key.limits, unused), ...shared];
}

/** The counts of a subject without a stored document, by this process's clock. */
export function emptyCounts(now: Date): Counts {
  const minute = now.getTime() - (now.getTime() % 60_000);
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const week = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7));
  const count = (start: number) => ({ start: new Date(start), used: 0 });
  return { minute: count(minute), day: count(day), week: count(week) };
}

/** The window with the fewest requests left; of several, the one that takes longest to reset. */
export function tightest(windows: readonly Window[]): Window | undefined {
  return windows.toSorted((a, b) => a.remaining - b.remaining || b.resetAt.getTime() - a.resetAt.getTime())[0];
}
