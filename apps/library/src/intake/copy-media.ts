import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import type { StorageLimits } from '../storage/domain/storage-limits.ts';
import { emitMediaChanged } from '../events.ts';
import { referToBlob } from '../blobs/store/blob-rows.ts';
import type { Cause } from '@fanfare/events';
import { lockFolder } from '../documents/store/folders.ts';
import { insertMedia, type MediaDocument } from '../media/store/media.ts';

interface MediaCopy {
  readonly id: string;
  readonly altText: string;
  readonly folderId: string | null;
  readonly limits: StorageLimits | undefined;
  readonly cause: Cause;
}

/**
 * Copies a media to another business of the same organization. No bytes are fetched or copied: both media refer to the same blob.
 * @throws DomainError invalid_value (`folder_id`), rate_limit_exceeded
 * @throws MongoServerError (duplicate key) if there is a media with this id
 */
export async function copyMedia(context: Context, scope: Scope, original: MediaDocument, copy: MediaCopy): Promise<MediaDocument> {
  const { db } = context;
  const { type, mime_type, size_bytes, width, height, duration_ms, sha256, facts, placeholder, blob_id, file_name } = original;
  const at = now(scope.organizationId);
  const document: MediaDocument = {
    ...{ _id: copy.id, organization_id: scope.organizationId, business_id: scope.businessId },
    ...{ created_at: at, updated_at: at, revision: 1 },
    ...{ type, mime_type, size_bytes, width, height, sha256, blob_id },
    ...(duration_ms !== undefined && { duration_ms }),
    ...(facts && { facts }),
    ...(placeholder !== undefined && { placeholder }),
    ...(file_name !== undefined && { file_name }),
    source: context.urls.stable(original._id),
    original_url: context.urls.stable(original._id),
    folder_id: copy.folderId,
    alt_text: copy.altText,
  };
  await context.transact(async (session) => {
    if (!(await referToBlob(db, blob_id, session)))
      throw new DomainError('invalid_value', 'The media of this URL was deleted.', { param: 'url' });
    if (copy.folderId !== null) await lockFolder(db, scope, copy.folderId, session);
    await insertMedia(db, document, session, copy.limits);
    await emitMediaChanged(context, session, document, 'MEDIA_CHANGE_READY', copy.cause);
  });
  return document;
}
