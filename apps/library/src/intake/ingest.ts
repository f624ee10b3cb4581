import type { Cause } from '@fanfare/events';
import type { Lease } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { intakeRows, isLeased, type IntakeDocument } from './store/intakes.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { fetchToStaging } from './fetch-to-staging.ts';
import { storeMedia } from './store-media.ts';

/**
 * Fetches the bytes of an intake unless they are staged, and stores them as media. One transaction makes the staged blob the media's blob and deletes
 * the intake.
 * @returns false if there already was a media with this id: then the intake still exists
 */
export async function ingest(context: Context, lease: Lease<IntakeDocument>): Promise<boolean> {
  const { blobs, db, spool } = context;
  const stagedBlobId = lease.row.kind === 'url' ? await fetchToStaging(context, lease) : lease.row.staging_blob_id;
  if (stagedBlobId === undefined) throw new Error(`Intake ${lease.row._id} has neither staged bytes nor a URL.`);
  const { row, signal } = lease;
  const sizeBytes = await blobs.seal(stagedBlobId);
  return spool.withFile(async (file) => {
    await copyBlob(blobs, { blobId: stagedBlobId, sizeBytes }, file, signal);
    await storeMedia(context, scopeOfIntake(row), {
      id: row._id,
      file,
      source: row.url ?? 'upload',
      originalUrl: row.url,
      altText: row.alt_text,
      description: row.description,
      fileName: row.file_name,
      folderId: row.folder_id,
      limits: parseStorageLimits(row.storage_limits),
      cause: causeOfIntake(row),
      stagedBlobId,
      endIntake: (session) => intakeRows.end(db, row, session),
    });
    return !(await isLeased(db, row));
  });
}

/** The request that it is from. */
export const causeOfIntake = ({ flow_id, actor, request_id }: IntakeDocument): Cause | undefined =>
  flow_id === undefined ? undefined : { flowId: flow_id, actor, requestId: request_id };

export const scopeOfIntake = ({ organization_id, business_id }: IntakeDocument) => ({
  organizationId: organization_id,
  businessId: business_id,
});
