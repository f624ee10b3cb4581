import type { Context } from '../context.ts';
import { collected } from '../metrics.ts';
import { abandonExpiredUploads, forgetUpload, postponeUpload } from './store/uploads.ts';

/**
 * Deletes the blobs of uploads whose lease has expired, because the process was killed or the caller disconnected. Returns how many it processed.
 * Every step can be repeated.
 */
export async function sweepUploads({ db, blobs, log }: Pick<Context, 'db' | 'blobs' | 'log'>, limit = 50): Promise<number> {
  const blobIds = await abandonExpiredUploads(db, limit);
  for (const blobId of blobIds) {
    try {
      await blobs.remove(blobId);
      await forgetUpload(db, blobId);
      collected('upload', 0);
    } catch (error) {
      log.error({ err: error, blob_id: blobId }, 'could not delete the remains of an upload; retrying later');
      await postponeUpload(db, blobId);
    }
  }
  return blobIds.length;
}
