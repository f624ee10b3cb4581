import type { Context } from '../context.ts';
import { forgetBlob, postponeBlob, takeFreeBlobs } from './store/blob-rows.ts';
import { collected } from '../metrics.ts';

/** How long a blob stays after its last reference went: whoever is reading it gets to its end, and what comes back finds it. */
const FREE_FOR_MS = 24 * 3600_000;

/** Removes blobs that nothing refers to; returns how many it looked at. A crash anywhere leaves a row by which the next run goes on. */
export async function collectBlobs(
  { blobs, db, log }: Pick<Context, 'blobs' | 'db' | 'log'>,
  limit: number,
  freeForMs = FREE_FOR_MS,
): Promise<number> {
  const taken = await takeFreeBlobs(db, limit, freeForMs);
  for (const { _id: blobId, size_bytes: sizeBytes } of taken) {
    try {
      await blobs.remove(blobId);
      await forgetBlob(db, blobId);
      collected('blob', sizeBytes);
    } catch (error) {
      // One that cannot be removed must not keep the others from it.
      log.error({ err: error, blob_id: blobId }, 'could not delete a blob; retrying later');
      await postponeBlob(db, blobId);
    }
  }
  return taken.length;
}
