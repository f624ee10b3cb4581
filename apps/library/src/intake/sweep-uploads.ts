import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { abandonExpiredUploads, forgetUpload } from '../store/uploads.ts';

const PERIOD_MS = 60_000;
const BATCH = 50;

/** Removes what killed processes left of uploads: at start, and then once a minute. */
export function startUploadSweep(context: Context): Loop {
  return startLoop({
    name: 'upload-sweep',
    log: context.log,
    run: async () => ((await sweepUploads(context)) === BATCH ? 0 : PERIOD_MS),
  });
}

/** Answers with how many it removed. Replicas may sweep at once: every step can be done twice. */
export async function sweepUploads({ db, blobs, log }: Pick<Context, 'db' | 'blobs' | 'log'>): Promise<number> {
  const blobIds = await abandonExpiredUploads(db, BATCH);
  for (const blobId of blobIds) {
    await blobs.remove(blobId);
    await forgetUpload(db, blobId);
  }
  if (blobIds.length > 0) log.info({ count: blobIds.length }, 'removed unfinished uploads');
  return blobIds.length;
}
