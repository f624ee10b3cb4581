import { deadlineIn, type Deadline } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { returnPermits, takePermits, WINDOWS, type Counts, type KeyShare, type Limits, type SharedCounts } from '../store/rate-windows.ts';
import { keyWindows, windowsOf, type Window } from './windows.ts';

/** What came of asking for a permit. */
export interface PermitResult {
  readonly windows: readonly Window[];
  /** There: no permit. The window that takes longest to reset of those that have nothing left, and how long that is. */
  readonly refused?: { readonly window: Window; readonly waitMs: number };
}

/** Who is counted: somebody by themselves, or, by the organization, a key of it. */
export interface Counted {
  readonly id: string;
  readonly limits: Limits;
  readonly key?: KeyShare | undefined;
}

/** One subject within this process. */
export interface Subject {
  take(): Promise<PermitResult>;
  isRefused(): boolean;
}

/** Permits that were taken ahead of need. They are charged already, so whatever becomes of them, nobody gets more than the limit. */
export interface Prefetch {
  /** Gives back what was not used. */
  end(): Promise<void>;
}

/** Taken at once, the requests that wait for it included: this many, and no more than a hundredth of what is left. */
const MAX_BATCH = 500;
const PREFETCH_MS = 1_000;
/** How fast the number taken ahead grows while it is used up, and shrinks when it is not. */
const GROWTH = 4;
/** When no more than this part of a prefetch is left, the next one is taken, so that under steady load nobody waits for it. */
const RENEW_AT = 0.5;

/**
 * Requests that come while a round trip is under way wait, and go as one: exactly as many permits as there are requests, so that a burst is
 * both cheap and exact. Under steady load, and only while every window has plenty left, some permits more are taken for the next second, and the next
 * ones before these are used up. A refusal is remembered until the window turns that caused it.
 */
export function createSubject(db: Db, { id, limits, key, prefetches }: Counted & { prefetches: Set<Prefetch> }): Subject {
  let waiting: { resolve: (result: PermitResult) => void; reject: (error: unknown) => void }[] = [];
  let isBusy = false;
  let refusal: { counts: SharedCounts; window: Window; resets: Deadline; until: Deadline } | undefined;
  // The oldest first: what was left after its permits was less.
  let open: OpenPrefetch[] = [];
  let spare = 0;
  let lastAskedAt = -Infinity;
  let left = 0;

  return {
    async take() {
      const known = refused() ?? takePrefetched();
      if (known) {
        if (!isBusy && open.length === 1 && open[0]?.wantsSuccessor()) void renew();
        return known;
      }
      const result = new Promise<PermitResult>((resolve, reject) => waiting.push({ resolve, reject }));
      if (!isBusy) void work();
      return result;
    },
    isRefused: () => refused() !== undefined,
  };

  function shown(counts: SharedCounts, unused = 0): Window[] {
    return key ? keyWindows(counts, limits, key, unused) : windowsOf(counts, limits, unused);
  }

  function refused(): PermitResult | undefined {
    if (refusal?.until.passed()) refusal = undefined;
    if (!refusal) return undefined;
    return { windows: shown(refusal.counts), refused: { window: refusal.window, waitMs: refusal.resets.remainingMs() } };
  }

  function takePrefetched(): PermitResult | undefined {
    for (const prefetch of open) {
      const result = prefetch.take();
      if (result) return result;
    }
    return undefined;
  }

  /** Takes permits for requests that are yet to come. */
  async function renew(): Promise<void> {
    isBusy = true;
    // The next request that needs a permit hears of what failed, when it asks for itself.
    await ask(0).catch(() => undefined);
    await work();
  }

  async function work(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const known = refused() ?? takePrefetched();
      if (known) {
        waiting.shift()?.resolve(known);
        continue;
      }
      const batch = waiting;
      waiting = [];
      try {
        const results = await ask(batch.length);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as PermitResult);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  }

  /** One round trip for `wanted` requests; each hears what was left after its own. */
  async function ask(wanted: number): Promise<PermitResult[]> {
    const askedAt = performance.now();
    spare = askedAt - lastAskedAt < PREFETCH_MS ? Math.max(1, wanted, spare) * GROWTH : 0;
    spare = Math.max(0, Math.min(spare, MAX_BATCH - wanted, Math.floor(left / 100) - wanted));
    lastAskedAt = askedAt;

    const counts = await takePermits(db, id, limits, { wanted, spare, key });
    const { granted, leased } = counts;
    left = Math.min(...shown(counts).map(({ remaining }) => remaining));
    // Reckoned from before the question: the database's clock stood at `at` some time after it.
    const until = (date: Date) => deadlineIn(date.getTime() - counts.at.getTime() - (performance.now() - askedAt));

    if (leased > 0) openPrefetch(counts, leased, until(new Date(Math.min(...endsOf(counts), counts.at.getTime() + PREFETCH_MS))));
    const results: PermitResult[] = [];
    for (let served = 1; served <= granted; served++) results.push({ windows: shown(counts, granted - served + leased) });
    if (granted < wanted) {
      const windows = shown(counts);
      const window = lastToReset(windows.filter(({ remaining }) => remaining === 0));
      if (!window) throw new Error(`A permit for ${id} was refused though every window has some left.`);
      const resets = until(window.resetAt);
      // What others took ahead of need, and may give back, is theirs for a prefetch's time.
      refusal = { counts, window, resets, until: window.isShared ? until(new Date(counts.at.getTime() + PREFETCH_MS)) : resets };
      while (results.length < wanted) results.push({ windows, refused: { window, waitMs: resets.remainingMs() } });
    }
    return results;
  }

  function openPrefetch(counts: SharedCounts, size: number, until: Deadline): void {
    let free = size;
    let hasAsked = false;
    const own: OpenPrefetch = {
      wantsSuccessor() {
        if (hasAsked || free > size * RENEW_AT) return false;
        return (hasAsked = true);
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
        // When this is lost, the limit is reached that much earlier.
        await returnPermits(db, id, { count: unused, taken: counts, key }).catch(() => undefined);
        refusal = undefined;
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
  /** Says so once: where no more may be taken ahead, it runs out. */
  wantsSuccessor(): boolean;
}

const endsOf = (counts: Counts) => WINDOWS.map(({ name, ms }) => counts[name].start.getTime() + ms);

/** Of a key's own and those that it shares, its own. */
const lastToReset = (windows: readonly Window[]): Window | undefined =>
  WINDOWS.toReversed().flatMap((each) => windows.filter(({ name }) => name === each.name))[0];
