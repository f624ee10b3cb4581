import { deadlineIn, type Deadline } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { returnPermits, takePermits, WINDOWS, type Counts, type Limits } from '../store/rate-windows.ts';
import { windowsOf, type Window } from './windows.ts';

/** What came of asking for a permit. */
export interface Taking {
  readonly windows: readonly Window[];
  /** There: no permit. The window that takes longest to reset of those that have nothing left, and how long that is. */
  readonly refused?: { readonly window: Window; readonly waitMs: number };
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
const LEASE_MS = 300;

/**
 * Requests that come while a round trip is under way wait, and go as one: exactly as many permits as there are requests, so that a burst is
 * both cheap and exact. Under steady load, and only while every window has plenty left, some permits more are taken for the next 300 ms. A
 * refusal is remembered until the window turns that caused it.
 */
export function createSubject(db: Db, { id, limits, leases }: { id: string; limits: Limits; leases: Set<Lease> }): Subject {
  let waiting: { resolve: (taking: Taking) => void; reject: (error: unknown) => void }[] = [];
  let isBusy = false;
  let refusal: { counts: Counts; window: Window; until: Deadline } | undefined;
  let lease: { take(): Taking | undefined } | undefined;
  let spare = 0;
  let lastAskedAt = -Infinity;
  let left = 0;

  return {
    async take() {
      const known = refused() ?? lease?.take();
      if (known) return known;
      const taking = new Promise<Taking>((resolve, reject) => waiting.push({ resolve, reject }));
      if (!isBusy) void work();
      return taking;
    },
    isRefused: () => refused() !== undefined,
  };

  function refused(): Taking | undefined {
    if (refusal?.until.passed()) refusal = undefined;
    if (!refusal) return undefined;
    return { windows: windowsOf(refusal.counts, limits), refused: { window: refusal.window, waitMs: refusal.until.remainingMs() } };
  }

  async function work(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const known = refused() ?? lease?.take();
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
    spare = askedAt - lastAskedAt < LEASE_MS ? Math.max(1, spare * 2) : 0;
    spare = Math.max(0, Math.min(spare, MAX_TAKEN - wanted, Math.floor(left / 100) - wanted));
    lastAskedAt = askedAt;

    const counts = await takePermits(db, id, limits, { wanted, spare });
    const { granted, leased } = counts;
    left = Math.min(...windowsOf(counts, limits).map(({ remaining }) => remaining));
    // Reckoned from before the question: the database's clock stood at `at` some time after it.
    const until = (date: Date) => deadlineIn(date.getTime() - counts.at.getTime() - (performance.now() - askedAt));

    if (leased > 0) openLease(counts, leased, until(new Date(Math.min(...endsOf(counts), counts.at.getTime() + LEASE_MS))));
    const takings: Taking[] = [];
    for (let served = 1; served <= granted; served++) takings.push({ windows: windowsOf(counts, limits, granted - served + leased) });
    if (granted < wanted) {
      const window = windowsOf(counts, limits).findLast(({ remaining }) => remaining === 0);
      if (!window) throw new Error(`A permit for ${id} was refused though every window has some left.`);
      refusal = { counts, window, until: until(window.resetAt) };
      const windows = windowsOf(counts, limits);
      while (takings.length < wanted) takings.push({ windows, refused: { window, waitMs: refusal.until.remainingMs() } });
    }
    return takings;
  }

  function openLease(counts: Counts, size: number, until: Deadline): void {
    let free = size;
    const own = {
      take(): Taking | undefined {
        if (free === 0 || until.passed()) return undefined;
        free--;
        if (free === 0) close();
        return { windows: windowsOf(counts, limits, free) };
      },
    };
    const ended: Lease = {
      async end() {
        const unused = free;
        free = 0;
        close();
        if (unused === 0) return;
        spare = Math.floor(spare / 2);
        // When this is lost, the limit is reached that much earlier.
        await returnPermits(db, id, unused, counts).catch(() => undefined);
        refusal = undefined;
      },
    };
    const timer = setTimeout(() => void ended.end(), until.remainingMs()).unref();
    const close = () => {
      clearTimeout(timer);
      leases.delete(ended);
      if (lease === own) lease = undefined;
    };
    leases.add(ended);
    lease = own;
  }
}

const endsOf = (counts: Counts) => WINDOWS.map(({ name, ms }) => counts[name].start.getTime() + ms);
