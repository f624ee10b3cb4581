import type { Context } from '../context.ts';
import { insertIntake } from '../intake/store/intakes.ts';
import { completeTusUpload, type TusUploadDocument } from './store/tus-uploads.ts';

/** Turns an upload whose bytes are complete into an intake. May be repeated, by any replica. */
export async function completeUpload(context: Context, upload: TusUploadDocument): Promise<void> {
  const { db } = context;
  await context.transact(async (session) => {
    if (!(await completeTusUpload(db, upload._id, session))) return;
    const { _id, organization_id, business_id, alt_text, description, folder_id, file_name, storage_limits, flow_id, actor, request_id } =
      upload;
    await insertIntake(
      db,
      {
        _id,
        organization_id,
        business_id,
        kind: 'upload',
        alt_text,
        description,
        folder_id: folder_id ?? null,
        file_name,
        flow_id,
        ...(actor !== undefined && { actor }),
        ...(request_id !== undefined && { request_id }),
        ...(storage_limits !== undefined && { storage_limits }),
        staging_blob_id: upload.blob_id,
        fetched: { total_bytes: upload.size_bytes },
      },
      session,
    );
  });
  for (const wake of context.afterIntake) wake();
}

/** The offset of an upload, from the blob store. The full size if an intake owns the blob. */
export async function offsetOf({ blobs }: Pick<Context, 'blobs'>, upload: TusUploadDocument): Promise<number> {
  return upload.state === 'complete' ? upload.size_bytes : ((await blobs.size(upload.blob_id)) ?? 0);
}
