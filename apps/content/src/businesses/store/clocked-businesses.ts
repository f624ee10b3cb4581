import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { findBusinessIds } from './businesses.ts';

/** For loops that look again and again: a new business may be missing for a second. */
const TTL_MS = 1_000;
const MOST = 1_000;
const recent = new WeakMap<Db, LRUCache<string, readonly string[]>>();

/** The ids of the businesses of an organization whose test clock was moved, at most a second old. */
export async function recentBusinessIds(db: Db, organizationId: string): Promise<readonly string[]> {
  const cache = recent.get(db) ?? new LRUCache<string, readonly string[]>({ max: MOST, ttl: TTL_MS });
  recent.set(db, cache);
  const known = cache.get(organizationId);
  if (known) return known;
  const found = await findBusinessIds(db, organizationId);
  cache.set(organizationId, found);
  return found;
}
