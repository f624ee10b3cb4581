import type { ImportMediaRequest, Media } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { isDuplicateKey } from '@fanfare/mongo';
import type { Call, CallMetadata } from '@fanfare/rpc';
import { currentTime, isUuid, msUntil } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { scopeOf, type Scope } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { ACCEPTED_MEDIA } from './accepted-media.ts';
import { copyMedia } from './copy-media.ts';
import { rejection } from './rejection.ts';
import { storeMedia } from './store-media.ts';
import { withinRoom } from '../storage/within-room.ts';
import { folderChain, noSuchFolder } from '../documents/store/folders.ts';
import { findIntake, insertIntake, intakeToMedia } from './store/intakes.ts';
import { findCreatedMedia, findSignedMedia, toMedia } from '../media/store/media.ts';
import { checkRoom } from '../storage/store/storage-usage.ts';

/** The part of the caller's deadline that is reserved for probing and storing the file. */
const STORE_RESERVE_MS = 1_500;
const FROM_URL = ' Import larger or slower files with POST /api/media/from-url and use the media id.';

/**
 * Imports a file from a URL: at once, or in the background if that takes longer than the request and the caller allows it. A repeat with the same id returns the same
 * media.
 * @throws DomainError invalid_value, resource_not_found, or why the file is rejected
 */
export async function importFromUrl(context: Context, request: ImportMediaRequest, call: Call): Promise<Media> {
  const { mediaId: id, url, param, folderId = null } = request;
  const scope = scopeOf(call.metadata);
  if (!isUuid(id)) throw new DomainError('invalid_value', 'The id is not a UUID.', { param: 'media_id' });
  const first = await findImported(context, scope, id);
  if (first) return first;
  // Rejects early what cannot be stored. The final check is in the transaction that stores it.
  if (folderId !== null && !(await folderChain(context.db, scope, folderId))) throw noSuchFolder('folder_id');
  await checkRoom(context.db, scope.organizationId, { bytes: 0, files: 1 }, parseStorageLimits(call.metadata.storageLimits));
  if (context.urls.isOurs(url)) return importOurs(context, scope, request, call.metadata);

  try {
    return await importAtOnce(context, scope, request, call);
  } catch (error) {
    if (request.mayContinue && takesLonger(error, context.config.intakes.maxBytes)) {
      return importLater(context, scope, request, call.metadata);
    }
    if (error instanceof FetchError)
      call.log.info({ err: error, reason: error.reason, host: URL.parse(url)?.host }, 'a URL was not fetched');
    throw rejection(error, param, request.mayContinue ? '' : FROM_URL);
  }
}

/** The result of an earlier call with the same id, even if the media was deleted since. */
async function findImported({ db, urls }: Context, scope: Scope, id: string): Promise<Media | undefined> {
  const media = await findCreatedMedia(db, scope, id);
  if (media) return toMedia(media, urls);
  const intake = await findIntake(db, scope, id);
  return intake ? intakeToMedia(intake) : undefined;
}

async function importAtOnce(
  context: Context,
  scope: Scope,
  request: ImportMediaRequest,
  { deadline, metadata }: { deadline: Date; metadata: CallMetadata },
): Promise<Media> {
  const { config, spool, urls, web } = context;
  const { mediaId: id, url, altText, folderId } = request;
  const remainingMs = msUntil(deadline) - STORE_RESERVE_MS;
  const timeoutMs = Math.max(1, Math.min(config.fetch.timeoutMs, remainingMs));
  const limits = parseStorageLimits(metadata.storageLimits);
  const stored = await spool.withFile(async (file) => {
    const room = { organizationId: scope.organizationId, limits, maxBytes: config.fetch.maxBytes };
    await withinRoom(context, room, (maxBytes) => web.download(url, { toFile: file, maxBytes, timeoutMs, accept: ACCEPTED_MEDIA }));
    const what = { id, file, source: url, originalUrl: url, altText, folderId, limits, cause: metadata };
    return storeMedia(context, scope, what);
  });
  return toMedia(stored, urls);
}

/** Whether the only problem is that the file is too large or too slow for a request. */
function takesLonger(error: unknown, maxBytes: number): boolean {
  if (!(error instanceof FetchError)) return false;
  const { reason, claimedBytes = 0 } = error;
  return (reason === 'too_large' && claimedBytes <= maxBytes) || reason === 'timeout';
}

async function importLater(context: Context, scope: Scope, request: ImportMediaRequest, metadata: CallMetadata): Promise<Media> {
  const { db, afterIntake } = context;
  await insertIntake(db, {
    _id: request.mediaId,
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    kind: 'url',
    url: request.url,
    alt_text: request.altText,
    folder_id: request.folderId ?? null,
    flow_id: metadata.flowId,
    actor: metadata.actor,
    request_id: metadata.requestId,
    ...(metadata.storageLimits !== undefined && { storage_limits: metadata.storageLimits }),
  });
  for (const wake of afterIntake) wake();
  const begun = await findImported(context, scope, request.mediaId);
  if (!begun) throw notFound('media');
  return begun;
}

/** A URL on our own public host is resolved, not fetched. The media may belong to any business of the organization. */
async function importOurs(context: Context, scope: Scope, request: ImportMediaRequest, metadata: CallMetadata): Promise<Media> {
  const { db, urls } = context;
  const { mediaId, altText, folderId = null, param } = request;
  const named = urls.mediaIdOf(request.url, currentTime());
  const original = named === undefined ? null : await findSignedMedia(db, named);
  if (original?.organization_id !== scope.organizationId) {
    throw new DomainError('invalid_value', 'This organization has no media with this URL.', { param });
  }
  if (original.business_id === scope.businessId) return toMedia(original, urls);
  const copy = { id: mediaId, altText, folderId, limits: parseStorageLimits(metadata.storageLimits), cause: metadata };
  try {
    return toMedia(await copyMedia(context, scope, original, copy), urls);
  } catch (error) {
    if (!isDuplicateKey(error, '_id')) throw error;
    const first = await findImported(context, scope, mediaId);
    if (!first) throw notFound('media');
    return first;
  }
}
