import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { currentTime } from '@fanfare/runtime';
import { ANONYMOUS_PLAN, findPlan } from '../../accounts/index.ts';
import { readCounts, type KeyShare, type Limits } from '../store/rate-windows.ts';
import { keyLimits } from './plan-limits.ts';
import { createSubject, type Counted, type Prefetch, type Subject, type PermitResult } from './subject.ts';
import { emptyCounts, keyWindows, windowsOf, type Window } from './windows.ts';

/**
 * Counts requests exactly, over all processes. A subject is `user:{id}`, `address:{ip}` or, for a key, `organization:{id}`: its keys are counted
 * together, and each by itself.
 */
export interface RateLimiter {
  /** Takes one permit. Fails when the database does not respond: a request that cannot be counted is not served. */
  take(subject: string, limits: Limits, key?: KeyShare): Promise<PermitResult>;
  /** Whether this process remembers a rejection. Does not read the database. */
  isRejected(subject: string, limits: Limits): boolean;
  /** The current windows, without taking a permit; with a key, its own followed by those that it shares. */
  read(subject: string, limits: Limits, key?: KeyShare): Promise<Window[]>;
  /** The limits of an address, for requests without a valid credential. */
  anonymous(): Promise<Limits>;
  /** Returns the unused prefetched permits. */
  close(): Promise<void>;
}

const MAX_SUBJECTS = 10_000;
/** A change of the plan for anonymous requests takes effect everywhere after this time. */
const PLAN_CACHE_TTL_MS = 5_000;

export function createRateLimiter(db: Db): RateLimiter {
  const prefetches = new Set<Prefetch>();
  // Keyed by subject and limits: after a change of the limits, a subject starts afresh. An evicted subject costs one round trip.
  const subjects = new LRUCache<string, Subject>({ max: MAX_SUBJECTS });
  const plans = new LRUCache<string, Limits>({
    max: 1,
    ttl: PLAN_CACHE_TTL_MS,
    fetchMethod: async (id) => keyLimits((await findPlan(db, id)) ?? ANONYMOUS_PLAN),
  });

  return {
    take(id, limits, key) {
      const name = nameOf({ id, limits, key });
      let subject = subjects.get(name);
      if (!subject) subjects.set(name, (subject = createSubject(db, { id, limits, key, prefetches })));
      return subject.take();
    },
    isRejected: (id, limits) => subjects.get(nameOf({ id, limits }))?.isRejected() ?? false,
    async read(subject, limits, key) {
      const counts = (await readCounts(db, subject)) ?? emptyCounts(currentTime());
      return key ? keyWindows(counts, limits, key) : windowsOf(counts, limits);
    },
    anonymous: () => plans.forceFetch(ANONYMOUS_PLAN._id),
    async close() {
      await Promise.all([...prefetches].map((prefetch) => prefetch.end()));
    },
  };
}

const nameOf = ({ id, limits, key }: Counted): string =>
  [...written(limits), id, ...(key ? [...written(key.limits), key.id] : [])].join(' ');
const written = ({ perMinute, perDay, perWeek }: Limits) => [perMinute, perDay, perWeek];
