import type { Cause } from '@fanfare/events';
import { findErased } from '@fanfare/erasure';
import { notFound } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import type { StorageLimits } from '../storage/domain/storage-limits.ts';
import { enqueueDerivatives } from '../derivatives/enqueue-derivatives.ts';
import { emitMediaChanged } from '../events.ts';
import { mediaStored, probeTook } from '../metrics.ts';
import type { Probe } from '../probing/probe-media.ts';
import { lockFolder } from '../documents/store/folders.ts';
import { findMedia, insertMedia, type MediaDocument } from '../media/store/media.ts';
import { enqueueTranscription } from '../transcripts/enqueue-transcription.ts';
import { storeBytes } from '../blobs/store-bytes.ts';

export interface MediaToStore {
  readonly id: string;
  /** The local file with the bytes. */
  readonly file: string;
  /** `upload`, or the URL from which it was imported. */
  readonly source: string;
  readonly originalUrl?: string | undefined;
  readonly altText: string;
  readonly description?: string | undefined;
  readonly fileName?: string | undefined;
  /** Absent or null: the root. */
  readonly folderId?: string | null | undefined;
  /** The storage limits of the organization; undefined: no limit. */
  readonly limits: StorageLimits | undefined;
  readonly cause?: Cause | undefined;
  /** A blob that already has these bytes: see `storeBytes`. */
  readonly stagedBlobId?: string | undefined;
  /** Called in the transaction that makes the media visible; deletes the intake of a staged blob. */
  readonly endIntake?: ((session: ClientSession) => Promise<void>) | undefined;
}

/**
 * Probes a file and stores it as media, which becomes visible when all of its bytes are stored. If there is a media with this id, from a repeated
 * operation, returns that one and stores nothing; a staged blob still belongs to the caller.
 * @throws MediaRejected if the file is not accepted
 * @throws DomainError invalid_value (`folder_id`); rate_limit_exceeded if the storage is full
 */
export async function storeMedia(context: Context, scope: Scope, what: MediaToStore): Promise<MediaDocument> {
  const { blobs, db, inTurn } = context;
  // All of these transactions write the row of the organization's storage.
  const transact: Context['transact'] = (work) => inTurn(scope.organizationId, () => context.transact(work));
  const { id, file, source, folderId = null, limits, stagedBlobId, endIntake } = what;
  const stopTimer = probeTook();
  const probe = await context.workers.probe(file);
  stopTimer({ type: probe.type });
  const at = now(scope.organizationId);
  try {
    const bytes = { organizationId: scope.organizationId, file, forId: id, stagedBlobId };
    const stored = await storeBytes({ blobs, db, transact }, bytes, async (session, { blobId, sha256, sizeBytes }) => {
      const document: MediaDocument = {
        _id: id,
        organization_id: scope.organizationId,
        business_id: scope.businessId,
        created_at: at,
        updated_at: at,
        revision: 1,
        ...probed(probe),
        ...described(what),
        size_bytes: sizeBytes,
        sha256,
        source,
        folder_id: folderId,
        blob_id: blobId,
      };
      // An upload can take longer than the time in which a deletion can be cancelled.
      if ((await findErased(db, [scope.organizationId, scope.businessId])).size > 0) throw notFound('business');
      await endIntake?.(session);
      if (folderId !== null) await lockFolder(db, scope, folderId, session);
      await insertMedia(db, document, session, limits);
      await enqueueDerivatives(db, session, document);
      await enqueueTranscription(context, session, document);
      await emitMediaChanged(context, session, document, 'MEDIA_CHANGE_READY', what.cause);
      return document;
    });
    for (const wake of context.afterWanted) wake();
    mediaStored(probe.type, source === 'upload' ? 'upload' : 'url');
    return stored;
  } catch (error) {
    if (!isDuplicateKey(error, '_id')) throw error;
    const [first] = await findMedia(db, scope, [id]);
    if (!first) throw notFound('media');
    return first;
  }
}

function probed({ type, mimeType, width, height, durationMs, facts, placeholder }: Probe) {
  return {
    type,
    mime_type: mimeType,
    width,
    height,
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    facts,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

function described({ altText, description, fileName, originalUrl }: MediaToStore) {
  return {
    alt_text: altText,
    ...(description === undefined ? {} : { description }),
    ...(fileName === undefined ? {} : { file_name: fileName }),
    ...(originalUrl === undefined ? {} : { original_url: originalUrl }),
  };
}
