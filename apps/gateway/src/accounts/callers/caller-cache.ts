import type { Db } from 'mongodb';
import { LRUCache } from 'lru-cache';
import { hashApiKey, isApiKey } from '../keys/api-key.ts';
import type { Identity } from '../sign-in/identity.ts';
import { findKeyCaller, findUserCaller, type Caller } from '../store/callers.ts';

/** Who is behind a credential. */
export interface CallerCache {
  /** Undefined when the credential is not, or no longer, valid. */
  find(credential: string): Promise<Caller | undefined>;
  /** As it is now: for what must not be done on the strength of what was revoked seconds ago. */
  findUncached(credential: string): Promise<Caller | undefined>;
  /** Whether it worked not long ago, and so is no guess. Asks nobody. */
  wasRecentlyValid(credential: string): boolean;
}

/** How long a credential is believed without another look: revocation has to work everywhere within 5 s. */
export const CACHE_TTL_MS = 3_000;
/** How long a credential that worked is told from a guess. */
const RECENTLY_VALID_MS = 60 * 60_000;

export function createCallerCache(db: Db, { verifyAccessToken }: Pick<Identity, 'verifyAccessToken'>): CallerCache {
  const callers = new LRUCache<string, Caller>({
    max: 10_000,
    ttl: CACHE_TTL_MS,
    // What is not found is not remembered: a new key works at once.
    fetchMethod: (credential) => look(credential),
  });
  // By hash: nothing of a secret stays in memory for so long.
  const recentlyValid = new LRUCache<string, true>({ max: 20_000, ttl: RECENTLY_VALID_MS });
  return {
    find: (credential) => callers.fetch(credential),
    findUncached: look,
    wasRecentlyValid: (credential) => callers.has(credential) || recentlyValid.has(hashApiKey(credential)),
  };

  // What does not look like a credential never reaches the database.
  async function look(credential: string): Promise<Caller | undefined> {
    const hash = hashApiKey(credential);
    const caller = isApiKey(credential) ? await findKeyCaller(db, hash) : await findUser(credential);
    if (caller) recentlyValid.set(hash, true);
    return caller;
  }

  async function findUser(token: string): Promise<Caller | undefined> {
    const grant = await verifyAccessToken(token);
    return grant && findUserCaller(db, grant);
  }
}
