import { createReadStream } from 'node:fs';
import { notFound } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { newId, now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { Scope } from '../domain/scope.ts';
import type { StorageLimits } from '../domain/storage-limits.ts';
import { mediaStored } from '../metrics.ts';
import { probeMedia } from '../probing/probe-media.ts';
import { findMedia, insertMedia, type MediaDocument } from '../store/media.ts';
import { hashFile } from './hash-file.ts';
import { beginUpload, finishUpload, forgetUpload } from '../store/uploads.ts';

/** The copy must end well before the lease does: a chunk that is written after the sweep would stay for ever. */
const COPY_TIMEOUT_MS = 10 * 60_000;
const LEASE_MS = 15 * 60_000;

/**
 * Probes a file and keeps it as one media. The media appears in one step, when all of its bytes are stored. If the id is taken already, by a
 * repeat of the same operation, the media that is there is the answer and the new copy goes.
 * @throws MediaRefused when the file is no media
 */
export async function storeMedia(
  context: Context,
  scope: Scope,
  { id, file, source, altText, limits }: { id: string; file: string; source: string; altText: string; limits: StorageLimits | undefined },
): Promise<MediaDocument> {
  const { db, blobs, mongo } = context;
  const { type, mimeType, width, height, durationMs } = await probeMedia(file);
  const blobId = newId();
  await beginUpload(db, blobId, id, LEASE_MS);
  const { sha256, sizeBytes } = await hashFile(file);
  const copied = await blobs.write(blobId, createReadStream(file), { signal: AbortSignal.timeout(COPY_TIMEOUT_MS) });
  if (copied !== sizeBytes) throw new Error(`Of ${sizeBytes} bytes ${copied} were stored.`);
  const document: MediaDocument = {
    _id: id,
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    created_at: now(scope.organizationId),
    type,
    mime_type: mimeType,
    size_bytes: sizeBytes,
    width,
    height,
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    sha256,
    source,
    alt_text: altText,
    blob_id: blobId,
  };
  try {
    await transaction(mongo.client, async (session) => {
      await finishUpload(db, blobId, session);
      await insertMedia(db, document, session, limits);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await blobs.remove(blobId);
    await forgetUpload(db, blobId);
    const [first] = await findMedia(db, scope, [id]);
    if (!first) throw notFound('media');
    return first;
  }
  mediaStored(type, source === 'upload' ? 'upload' : 'url');
  return document;
}
