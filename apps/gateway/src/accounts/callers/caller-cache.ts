import type { Db } from 'mongodb';
import { LRUCache } from 'lru-cache';
import { hashApiKey, isApiKey } from '../keys/api-key.ts';
import type { Identity } from '../sign-in/identity.ts';
import { findKeyCaller, findUserCaller, type Caller } from '../store/callers.ts';

/** Finds and caches the caller of a credential. */
export interface CallerCache {
  /** At most CACHE_TTL_MS old; undefined if the credential is invalid. */
  find(credential: string): Promise<Caller | undefined>;
  /** Reads the database, for operations that must reject a credential that was revoked seconds ago. */
  findUncached(credential: string): Promise<Caller | undefined>;
  /** This process has changed what callers may do: what it reads next is that. Others know within CACHE_TTL_MS. */
  forget(): void;
  /** Whether the credential was valid in the last hour, and so is not a guess. Does not read the database. */
  wasRecentlyValid(credential: string): boolean;
}

/** How long a valid credential is cached. Revocation must take effect everywhere within 5 s. */
export const CACHE_TTL_MS = 3_000;
/** How long a credential that was valid does not count as a guess. */
const RECENTLY_VALID_MS = 60 * 60_000;

export function createCallerCache(db: Db, { verifyAccessToken }: Pick<Identity, 'verifyAccessToken'>): CallerCache {
  const empty = () =>
    new LRUCache<string, Caller>({
      max: 10_000,
      ttl: CACHE_TTL_MS,
      // Invalid credentials are not cached, so that a new key works immediately.
      fetchMethod: (credential) => look(credential),
    });
  let callers = empty();
  // Stored by hash, so that no secret stays in memory for an hour.
  const recentlyValid = new LRUCache<string, true>({ max: 20_000, ttl: RECENTLY_VALID_MS });
  return {
    find: (credential) => callers.fetch(credential),
    findUncached: look,
    // Not cleared: what is being read now must not be cached either.
    forget: () => {
      callers = empty();
    },
    wasRecentlyValid: (credential) => callers.has(credential) || recentlyValid.has(hashApiKey(credential)),
  };

  // Malformed credentials never reach the database.
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
