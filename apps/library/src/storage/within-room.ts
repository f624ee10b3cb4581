import { FetchError } from '@fanfare/guarded-http';
import type { Context } from '../context.ts';
import type { StorageLimits } from './domain/storage-limits.ts';
import { bytesLeft, checkRoom, noBytesLeft, readStorage } from './store/storage-usage.ts';

/**
 * Fetches at most as many bytes as the organization may still store, whatever size the server declares.
 * @param fetch gets the maximum number of bytes, which is at most `maxBytes`
 * @throws DomainError rate_limit_exceeded with the quota; what `fetch` throws
 */
export async function withinRoom<T>(
  { db }: Pick<Context, 'db'>,
  { organizationId, limits, maxBytes }: { organizationId: string; limits: StorageLimits | undefined; maxBytes: number },
  fetch: (maxBytes: number) => Promise<T>,
): Promise<T> {
  await checkRoom(db, organizationId, { bytes: 0, files: 1 }, limits);
  const usage = await readStorage(db, organizationId);
  const left = bytesLeft(limits, usage);
  try {
    return await fetch(Math.min(maxBytes, left));
  } catch (error) {
    const isFull = limits && left < maxBytes && error instanceof FetchError && error.reason === 'too_large';
    throw isFull ? noBytesLeft(limits, usage) : error;
  }
}
