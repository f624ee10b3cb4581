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
  /** Asks for one permit. Fails when the database does not answer: then nobody is let through. */
  take(subject: string, limits: Limits, key?: KeyShare): Promise<PermitResult>;
  /** Whether a refusal is remembered here. Asks nobody. */
  isRefused(subject: string, limits: Limits): boolean;
  /** The windows as they stand, without result anything; with a key, its own and then those that it shares. */
  read(subject: string, limits: Limits, key?: KeyShare): Promise<Window[]>;
  /** Limits of an address from which somebody unknown calls. */
  anonymous(): Promise<Limits>;
  /** Gives back what was taken ahead of need. */
  close(): Promise<void>;
}

const MAX_SUBJECTS = 10_000;
/** A change of the plan for unknown callers works everywhere after this. */
const PLAN_CACHE_TTL_MS = 5_000;

export function createRateLimiter(db: Db): RateLimiter {
  const prefetches = new Set<Prefetch>();
  // What a process remembers of a subject holds for these limits only: with others it begins anew. Losing any of it costs a round trip.
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
    isRefused: (id, limits) => subjects.get(nameOf({ id, limits }))?.isRefused() ?? false,
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
