import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { TUS_EXTENSIONS } from '@fanfare/rpc/bytes';
import { newId } from '@fanfare/runtime';
import { DataStore, Upload } from '@tus/server';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import type { Description } from './upload-description.ts';
import type { Bytes } from '../blobs/store/blob-store.ts';
import { checkRoom } from '../storage/store/storage-usage.ts';
import { findTusUpload, insertTusUpload, noteSending, TUS_UPLOAD_LIVES_MS, type TusUploadDocument } from './store/tus-uploads.ts';
import { cancelUpload } from './cancel-upload.ts';
import { checkOutcome } from './check-outcome.ts';
import { offsetOf } from './complete-upload.ts';

/** The description of an upload, and its unparsed `Upload-Metadata`. */
type UploadTexts = Description & Pick<TusUploadDocument, 'metadata'>;

/** The data store of @tus/server for one call, limited to the uploads of its business. Uses the rows of uploads and the blob store. */
export function createTusStore(context: Context, call: CallMetadata, given: UploadTexts): DataStore {
  const { blobs, db } = context;
  const scope = scopeOf(call);
  const existing = async (id: string): Promise<TusUploadDocument> => {
    const found = await findTusUpload(db, scope, id);
    if (!found) throw notFound('upload');
    return found;
  };

  return Object.assign(new DataStore(), {
    extensions: [...TUS_EXTENSIONS],
    getExpiration: () => TUS_UPLOAD_LIVES_MS,

    async create(upload: Upload) {
      const size = upload.size ?? 0;
      // A repeated creation needs no additional space.
      if (!(await findTusUpload(db, scope, upload.id))) {
        await checkRoom(db, scope.organizationId, { bytes: size, files: 1 }, parseStorageLimits(call.storageLimits));
      }
      const { folder_id, ...texts } = given;
      const row = await insertTusUpload(db, {
        _id: upload.id,
        organization_id: scope.organizationId,
        business_id: scope.businessId,
        blob_id: newId(),
        size_bytes: size,
        ...texts,
        ...(folder_id !== undefined && { folder_id }),
        ...(call.storageLimits !== undefined && { storage_limits: call.storageLimits }),
        flow_id: call.flowId,
        actor: call.actor,
        request_id: call.requestId,
      });
      upload.creation_date = row.created_at.toISOString();
      // A repeated creation of an upload that already has bytes: the client must request the offset.
      const offset = await offsetOf(context, row);
      if (offset > 0) throw new DomainError('upload_conflict', `The upload is at offset ${offset}.`);
      return upload;
    },

    async getUpload(id: string) {
      const row = await existing(id);
      await checkOutcome(context, scope, row);
      return new Upload({
        id,
        size: row.size_bytes,
        offset: await offsetOf(context, row),
        creation_date: row.created_at.toISOString(),
      });
    },

    async write(bytes: Bytes, id: string, offset: number) {
      const { blob_id: blobId } = await existing(id);
      await noteSending(db, id);
      return blobs.append(blobId, offset, bytes);
    },

    async remove(id: string) {
      if (!(await cancelUpload(context, scope, id))) throw notFound('upload');
    },
  });
}
