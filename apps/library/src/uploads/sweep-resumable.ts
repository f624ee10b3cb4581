import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { checkLater, deleteTusUpload, dueTusUploads, abandonTusUpload } from './store/tus-uploads.ts';
import { completeUpload, offsetOf } from './complete-upload.ts';

const BATCH = 50;

/** Completes uploads whose process was killed after the last byte, and removes what nobody sent the rest of. */
export function startResumableSweep(context: Context): Loop {
  return startLoop({
    name: 'resumable-sweep',
    log: context.log,
    run: async () => ((await sweepResumable(context)) === BATCH ? 0 : context.config.resumableSweepMs),
  });
}

/** Returns how many it looked at. Replicas may sweep at once: every step can be done twice. */
export async function sweepResumable(context: Context): Promise<number> {
  const { db, log } = context;
  const due = await dueTusUploads(db, BATCH);
  for (const upload of due) {
    try {
      await check(context, upload);
    } catch (error) {
      const { _id, organization_id, blob_id } = upload;
      log.error({ err: error, media_id: _id, organization_id, blob_id }, 'the check of a resumable upload failed; retrying later');
      await checkLater(db, upload);
    }
  }
  return due.length;
}

async function check(context: Context, upload: Awaited<ReturnType<typeof dueTusUploads>>[number]): Promise<void> {
  const { blobs, db } = context;
  const { _id: id, blob_id: blobId } = upload;
  if (upload.state === 'complete') {
    await deleteTusUpload(db, id);
  } else if (upload.state === 'given_up') {
    await blobs.remove(blobId);
    await deleteTusUpload(db, id);
  } else if ((await offsetOf(context, upload)) === upload.size_bytes) {
    await completeUpload(context, upload);
  } else if (!upload.is_expired) {
    await checkLater(db, upload);
  } else if (await abandonTusUpload(db, id)) {
    await blobs.remove(blobId);
  }
}
