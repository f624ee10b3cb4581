import type { Context } from '../context.ts';
import { forgetBlob, postponeBlob, markFreeBlobs } from './store/blob-rows.ts';
import { collected } from '../metrics.ts';

/** How long a blob is kept after its last reference was removed, so that running downloads finish, and the same bytes can be used again. */
const FREE_FOR_MS = 24 * 3600_000;

/** Deletes blobs without references. Returns how many it processed. After a crash the next run continues, because a blob's row is deleted last. */
export async function collectBlobs(
  { blobs, db, log }: Pick<Context, 'blobs' | 'db' | 'log'>,
  limit: number,
  freeForMs = FREE_FOR_MS,
): Promise<number> {
  const free = await markFreeBlobs(db, limit, freeForMs);
  for (const { _id: blobId, size_bytes: sizeBytes } of free) {
    try {
      await blobs.remove(blobId);
      await forgetBlob(db, blobId);
      collected('blob', sizeBytes);
    } catch (error) {
      // A blob that cannot be deleted must not block the others.
      log.error({ err: error, blob_id: blobId }, 'could not delete a blob; retrying later');
      await postponeBlob(db, blobId);
    }
  }
  return free.length;
}
