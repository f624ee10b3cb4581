import { DomainError } from '@fanfare/errors';
import { startWorker, type Worker } from '@fanfare/leased-work';
import { systemCall } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { isShown } from '../designs/store/designs.ts';
import { uploadRows, type UploadDocument } from '../media/store/uploads.ts';

const IDLE_MS = 10_000;
const AT_ONCE = 4;
const LEASE_MS = 20_000;
/** Retries for about three days. If a post still uses the media file then, it stays until the post is deleted. */
const ATTEMPTS = 100;
const MAX_DELAY_MS = 3_600_000;

/** Deletes media files that were stored for a job or design that failed, or that a design no longer uses. */
export function startUploadCleanup(context: Context): Worker {
  const { config, db, log } = context;
  return startWorker<UploadDocument>({
    name: 'upload-cleanup',
    db,
    log,
    rows: uploadRows,
    size: AT_ONCE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ _id, organization_id }) => ({ media_id: _id, organization_id }),
    async work(lease) {
      const { _id: mediaId, organization_id: organizationId, business_id: businessId } = lease.row;
      // The transaction that uses the media file may have committed although its caller got an error.
      if (await isShown(db, { organizationId, businessId }, mediaId)) return uploadRows.end(db, lease.row);
      const call = { metadata: systemCall('generation', { organizationId, businessId }) };
      const { design_id: designId } = lease.row;
      if (designId !== undefined) {
        const { mediaIds: shown } = await context.content.findShownMedia({ designId, mediaIds: [mediaId] }, { call });
        if (shown.length > 0) return uploadRows.end(db, lease.row);
      }
      try {
        await context.library.deleteMedia(
          { operationId: derivedId(mediaId, 'unused'), mediaId, expectedRevisions: [], force: false },
          { call },
        );
      } catch (error) {
        // The media file was never stored, or is already deleted.
        if (!(error instanceof DomainError && error.code === 'resource_not_found')) throw error;
      }
      await uploadRows.end(db, lease.row);
    },
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: config.uploads.retryMs,
      maxDelayMs: MAX_DELAY_MS,
      // A post may still use it.
      passes: () => true,
      giveUp: (lease) => uploadRows.end(db, lease.row),
    },
  });
}
