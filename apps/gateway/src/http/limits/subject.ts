import { deadlineIn, type Deadline } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { returnPermits, takePermits, WINDOWS, type Counts, type KeyShare, type Limits, type SharedCounts } from '../store/rate-windows.ts';
import { keyWindows, windowsOf, type Window } from './windows.ts';

/** The result of taking a permit. */
export interface PermitResult {
  readonly windows: readonly Window[];
  /** If set, there is no permit. Of the exhausted windows, the one that takes longest to reset, and how long that is. */
  readonly rejected?: { readonly window: Window; readonly waitMs: number };
}

/** Whose requests are counted: a user or an address, or an organization together with one of its keys. */
export interface Counted {
  readonly id: string;
  readonly limits: Limits;
  readonly key?: KeyShare | undefined;
}

/** The counts of one subject in this process. */
export interface Subject {
  take(): Promise<PermitResult>;
  isRejected(): boolean;
}

/** Permits that were taken ahead of need. They are already charged, so a subject never gets more than its limit, even if they are lost. */
export interface Prefetch {
  /** Returns the unused permits. */
  end(): Promise<void>;
}

/** The most permits taken at once, including those for waiting requests. Also at most a hundredth of what is left. */
const MAX_BATCH = 500;
const PREFETCH_MS = 1_000;
/** The factor by which a prefetch grows when the last one was used up, and shrinks when it was not. */
const GROWTH = 4;
/** The next prefetch starts when at most this fraction is left, so that under steady load no request waits for it. */
const RENEW_AT = 0.5;

/**
 * Requests that arrive during a round trip to the database wait for it and then share the next one, with exactly as many permits as there are requests:
 * a burst is both cheap and exact. Under steady load, and only while every window has plenty left, permits for the next second are prefetched, and the
 * next ones before these are used up. A rejection is remembered until the window that caused it resets.
 */
export function createSubject(db: Db, { id, limits, key, prefetches }: Counted & { prefetches: Set<Prefetch> }): Subject {
  let waiting: { resolve: (result: PermitResult) => void; reject: (error: unknown) => void }[] = [];
  let isBusy = false;
  let rejection: { counts: SharedCounts; window: Window; resets: Deadline; until: Deadline } | undefined;
  // The oldest first: its permits show the lower counts.
  let open: OpenPrefetch[] = [];
  let spare = 0;
  let lastTakenAt = -Infinity;
  let left = 0;

  return {
    async take() {
      const known = rejected() ?? takePrefetched();
      if (known) {
        if (!isBusy && open.length === 1 && open[0]?.wantsSuccessor()) void renew();
        return known;
      }
      const result = new Promise<PermitResult>((resolve, reject) => waiting.push({ resolve, reject }));
      if (!isBusy) void work();
      return result;
    },
    isRejected: () => rejected() !== undefined,
  };

  function shown(counts: SharedCounts, unused = 0): Window[] {
    return key ? keyWindows(counts, limits, key, unused) : windowsOf(counts, limits, unused);
  }

  function rejected(): PermitResult | undefined {
    if (rejection?.until.passed()) rejection = undefined;
    if (!rejection) return undefined;
    return { windows: shown(rejection.counts), rejected: { window: rejection.window, waitMs: rejection.resets.remainingMs() } };
  }

  function takePrefetched(): PermitResult | undefined {
    for (const prefetch of open) {
      const result = prefetch.take();
      if (result) return result;
    }
    return undefined;
  }

  /** Takes permits for future requests. */
  async function renew(): Promise<void> {
    isBusy = true;
    // If this fails, the next request that needs a permit tries again and gets the error.
    await takeBatch(0).catch(() => undefined);
    await work();
  }

  async function work(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const known = rejected() ?? takePrefetched();
      if (known) {
        waiting.shift()?.resolve(known);
        continue;
      }
      const batch = waiting;
      waiting = [];
      try {
        const results = await takeBatch(batch.length);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as PermitResult);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  }

  /** One round trip for `wanted` requests. Each result shows what is left after that request. */
  async function takeBatch(wanted: number): Promise<PermitResult[]> {
    const takenAt = performance.now();
    spare = takenAt - lastTakenAt < PREFETCH_MS ? Math.max(1, wanted, spare) * GROWTH : 0;
    spare = Math.max(0, Math.min(spare, MAX_BATCH - wanted, Math.floor(left / 100) - wanted));
    lastTakenAt = takenAt;

    const counts = await takePermits(db, id, limits, { wanted, spare, key });
    const { granted, leased } = counts;
    left = Math.min(...shown(counts).map(({ remaining }) => remaining));
    // Measured from the start of the call, because the database's clock showed `at` some time after it.
    const until = (date: Date) => deadlineIn(date.getTime() - counts.at.getTime() - (performance.now() - takenAt));

    if (leased > 0) openPrefetch(counts, leased, until(new Date(Math.min(...endsOf(counts), counts.at.getTime() + PREFETCH_MS))));
    const results: PermitResult[] = [];
    for (let served = 1; served <= granted; served++) results.push({ windows: shown(counts, granted - served + leased) });
    if (granted < wanted) {
      const windows = shown(counts);
      const window = lastToReset(windows.filter(({ remaining }) => remaining === 0));
      if (!window) throw new Error(`A permit for ${id} was rejected although every window has permits left.`);
      const resets = until(window.resetAt);
      // Other processes may have prefetched shared permits and return them within PREFETCH_MS.
      rejection = { counts, window, resets, until: window.isShared ? until(new Date(counts.at.getTime() + PREFETCH_MS)) : resets };
      while (results.length < wanted) results.push({ windows, rejected: { window, waitMs: resets.remainingMs() } });
    }
    return results;
  }

  function openPrefetch(counts: SharedCounts, size: number, until: Deadline): void {
    let free = size;
    let isRenewing = false;
    const own: OpenPrefetch = {
      wantsSuccessor() {
        if (isRenewing || free > size * RENEW_AT) return false;
        return (isRenewing = true);
      },
      take(): PermitResult | undefined {
        if (free === 0 || until.passed()) return undefined;
        free--;
        if (free === 0) close();
        return { windows: shown(counts, free) };
      },
    };
    const ended: Prefetch = {
      async end() {
        const unused = free;
        free = 0;
        close();
        if (unused === 0) return;
        spare = Math.floor(spare / GROWTH);
        // If returning them fails, the limit is reached that much earlier.
        await returnPermits(db, id, { count: unused, taken: counts, key }).catch(() => undefined);
        rejection = undefined;
      },
    };
    const timer = setTimeout(() => void ended.end(), until.remainingMs()).unref();
    const close = () => {
      clearTimeout(timer);
      prefetches.delete(ended);
      open = open.filter((each) => each !== own);
    };
    prefetches.add(ended);
    open.push(own);
  }
}

interface OpenPrefetch {
  take(): PermitResult | undefined;
  /** True only once: if no more permits can be prefetched, this prefetch is used up without a successor. */
  wantsSuccessor(): boolean;
}

const endsOf = (counts: Counts) => WINDOWS.map(({ name, ms }) => counts[name].start.getTime() + ms);

/** If a key's own window and the shared one are both exhausted, the key's own. */
const lastToReset = (windows: readonly Window[]): Window | undefined =>
  WINDOWS.toReversed().flatMap((each) => windows.filter(({ name }) => name === each.name))[0];
