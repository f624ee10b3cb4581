import { deadlineIn, type Deadline } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { returnPermits, takePermits, WINDOWS, type Counts, type KeyShare, type Limits, type SharedCounts } from '../store/rate-windows.ts';
import { keyWindows, windowsOf, type Window } from './windows.ts';

/** What came of asking for a permit. */
export interface Taking {
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
  take(): Promise<Taking>;
  isRefused(): boolean;
}

/** Permits that were taken ahead of need. They are charged already, so whatever becomes of them, nobody gets more than the limit. */
export interface Lease {
  /** Gives back what was not used. */
  end(): Promise<void>;
}

/** Taken at once, the requests that wait for it included: this many, and no more than a hundredth of what is left. */
const MAX_TAKEN = 500;
const LEASE_MS = 1_000;
/** How fast the number taken ahead grows while it is used up, and shrinks when it is not. */
const GROWTH = 4;
/** When no more than this part of a lease is left, the next one is taken, so that under steady load nobody waits for it. */
const RENEWED_AT = 0.5;

/**
 * Requests that come while a round trip is under way wait, and go as one: exactly as many permits as there are requests, so that a burst is
 * both cheap and exact. Under steady load, and only while every window has plenty left, some permits more are taken for the next second, and the next
 * ones before these are used up. A refusal is remembered until the window turns that caused it.
 */
export function createSubject(db: Db, { id, limits, key, leases }: Counted & { leases: Set<Lease> }): Subject {
  let waiting: { resolve: (taking: Taking) => void; reject: (error: unknown) => void }[] = [];
  let isBusy = false;
  let refusal: { counts: SharedCounts; window: Window; resets: Deadline; until: Deadline } | undefined;
  // The oldest first: what was left after its permits was less.
  let open: OpenLease[] = [];
  let spare = 0;
  let lastAskedAt = -Infinity;
  let left = 0;

  return {
    async take() {
      const known = refused() ?? takeLeased();
      if (known) {
        if (!isBusy && open.length === 1 && open[0]?.wantsSuccessor()) void renew();
        return known;
      }
      const taking = new Promise<Taking>((resolve, reject) => waiting.push({ resolve, reject }));
      if (!isBusy) void work();
      return taking;
    },
    isRefused: () => refused() !== undefined,
  };

  function shown(counts: SharedCounts, unused = 0): Window[] {
    return key ? keyWindows(counts, limits, key, unused) : windowsOf(counts, limits, unused);
  }

  function refused(): Taking | undefined {
    if (refusal?.until.passed()) refusal = undefined;
    if (!refusal) return undefined;
    return { windows: shown(refusal.counts), refused: { window: refusal.window, waitMs: refusal.resets.remainingMs() } };
  }

  function takeLeased(): Taking | undefined {
    for (const lease of open) {
      const taking = lease.take();
      if (taking) return taking;
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
      const known = refused() ?? takeLeased();
      if (known) {
        waiting.shift()?.resolve(known);
        continue;
      }
      const batch = waiting;
      waiting = [];
      try {
        const takings = await ask(batch.length);
        for (const [index, { resolve }] of batch.entries()) resolve(takings[index] as Taking);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  }

  /** One round trip for `wanted` requests; each hears what was left after its own. */
  async function ask(wanted: number): Promise<Taking[]> {
    const askedAt = performance.now();
    spare = askedAt - lastAskedAt < LEASE_MS ? Math.max(1, wanted, spare) * GROWTH : 0;
    spare = Math.max(0, Math.min(spare, MAX_TAKEN - wanted, Math.floor(left / 100) - wanted));
    lastAskedAt = askedAt;

    const counts = await takePermits(db, id, limits, { wanted, spare, key });
    const { granted, leased } = counts;
    left = Math.min(...shown(counts).map(({ remaining }) => remaining));
    // Reckoned from before the question: the database's clock stood at `at` some time after it.
    const until = (date: Date) => deadlineIn(date.getTime() - counts.at.getTime() - (performance.now() - askedAt));

    if (leased > 0) openLease(counts, leased, until(new Date(Math.min(...endsOf(counts), counts.at.getTime() + LEASE_MS))));
    const takings: Taking[] = [];
    for (let served = 1; served <= granted; served++) takings.push({ windows: shown(counts, granted - served + leased) });
    if (granted < wanted) {
      const windows = shown(counts);
      const window = lastToReset(windows.filter(({ remaining }) => remaining === 0));
      if (!window) throw new Error(`A permit for ${id} was refused though every window has some left.`);
      const resets = until(window.resetAt);
      // What others took ahead of need, and may give back, is theirs for a lease's time.
      refusal = { counts, window, resets, until: window.isShared ? until(new Date(counts.at.getTime() + LEASE_MS)) : resets };
      while (takings.length < wanted) takings.push({ windows, refused: { window, waitMs: resets.remainingMs() } });
    }
    return takings;
  }

  function openLease(counts: SharedCounts, size: number, until: Deadline): void {
    let free = size;
    let hasAsked = false;
    const own: OpenLease = {
      wantsSuccessor() {
        if (hasAsked || free > size * RENEWED_AT) return false;
        return (hasAsked = true);
      },
      take(): Taking | undefined {
        if (free === 0 || until.passed()) return undefined;
        free--;
        if (free === 0) close();
        return { windows: shown(counts, free) };
      },
    };
    const ended: Lease = {
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
      leases.delete(ended);
      open = open.filter((each) => each !== own);
    };
    leases.add(ended);
    open.push(own);
  }
}

interface OpenLease {
  take(): Taking | undefined;
  /** Says so once: where no more may be taken ahead, it runs out. */
  wantsSuccessor(): boolean;
}

const endsOf = (counts: Counts) => WINDOWS.map(({ name, ms }) => counts[name].start.getTime() + ms);

/** Of a key's own and those that it shares, its own. */
const lastToReset = (windows: readonly Window[]): Window | undefined =>
  WINDOWS.toReversed().flatMap((each) => windows.filter(({ name }) => name === each.name))[0];
