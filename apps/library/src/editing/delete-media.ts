import type { DeleteMediaRequest } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import { releaseBlob } from '../blobs/store/blob-rows.ts';
import type { Context } from '../context.ts';
import { dropDerivatives } from '../derivatives/store/derivatives.ts';
import { emitMediaChanged } from '../events.ts';
import { giveUpIntake } from '../intake/store/intakes.ts';
import { editMedia, findCreatedMedia } from '../media/store/media.ts';
import { holdersOf } from '../media/store/reservations.ts';
import { scopeOf, type Scope } from '../scope.ts';
import { giveBack } from '../storage/store/storage-usage.ts';
import { cancelUpload } from '../uploads/cancel-upload.ts';

/**
 * Deletes a media with its event, or cancels it if it is not ready. A repeated operation changes nothing.
 * @throws DomainError resource_not_found, precondition_failed, conflict if it is still used
 */
export async function deleteMedia(context: Context, request: DeleteMediaRequest, metadata: CallMetadata): Promise<void> {
  const { db } = context;
  const { operationId, mediaId, expectedRevisions } = request;
  const scope = scopeOf(metadata);
  // An open upload has the id of the future media, and no revision yet.
  if (expectedRevisions.length === 0 && (await cancelUpload(context, scope, mediaId))) return;
  const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };

  const remove = async (session: ClientSession): Promise<boolean> => {
    const before = await findCreatedMedia(db, scope, mediaId, session);
    if (!before) return giveUp(db, scope, request, session);
    if (before.operation_ids?.includes(operationId)) return true;
    const mark = await editMedia(db, scope, mediaId, { deleted: true }, edit, session);
    const holders = request.force ? [] : await holdersOf(db, scope, mediaId, session);
    if (holders.length > 0) throw isNeeded(holders);
    await releaseBlob(db, { blobId: before.blob_id, organizationId: scope.organizationId, sizeBytes: before.size_bytes }, session);
    await dropDerivatives(db, mediaId, session);
    if (before.charged) await giveBack(db, session, scope.organizationId, { bytes: before.size_bytes, files: 1 });
    await emitMediaChanged(context, session, mark, 'MEDIA_CHANGE_DELETED', metadata);
    return true;
  };
  const isStored = await context.inTurn(scope.organizationId, () => context.transact(remove));
  if (!isStored) for (const wake of context.afterIntake) wake();
}

/** @param holders for example `post:{id}` */
function isNeeded(holders: readonly string[]): DomainError {
  const names = holders.map((holder) => holder.replace(':', ' ')).join(', ');
  return new DomainError('conflict', `The media is still used by ${names}. Send force=true to delete it anyway.`);
}

/** Cancels a media that is not ready: it cannot be reserved, and is not counted in the storage. */
async function giveUp(db: Db, scope: Scope, { mediaId, expectedRevisions }: DeleteMediaRequest, session: ClientSession): Promise<false> {
  if (!(await giveUpIntake(db, scope, mediaId, session))) throw notFound('media');
  if (expectedRevisions.length > 0 && !expectedRevisions.includes(1)) {
    throw new DomainError('precondition_failed', 'The media has changed since you read it. Read it again and retry with its current ETag.');
  }
  return false;
}
