import type { SignedMedia } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import type { Context } from '../context.ts';
import { awaitWithoutLocation, mayHaveLocation } from '../derivatives/await-without-location.ts';
import { atMostHundred } from '../domain/at-most-hundred.ts';
import { expiryIn } from '../domain/expiry-in.ts';
import { scopeOf } from '../domain/scope.ts';
import { findMedia, toMedia, type MediaDocument } from '../store/media.ts';
import type { Rpc } from './rpc.ts';

export const signMediaUrls: Rpc<'signMediaUrls'> =
  (context) =>
  async ({ mediaIds, validForSeconds }, call) => {
    atMostHundred(mediaIds, 'media_ids');
    const expiresAt = expiryIn(validForSeconds);
    const found = await findMedia(context.db, scopeOf(call.metadata), mediaIds);
    if (found.length < mediaIds.length) throw notFound('media');
    return { media: await Promise.all(found.map((one) => sign(context, one, expiresAt, call.deadline))) };
  };

/** What is said of the bytes is said of those that are served. */
async function sign(context: Context, document: MediaDocument, expiresAt: Date, deadline: Date): Promise<SignedMedia> {
  const { urls } = context;
  const media = toMedia(document, urls);
  if (!mayHaveLocation(document)) return { media, ...urls.expiring(document._id, expiresAt) };
  const { _id, mime_type: mimeType, size_bytes: sizeBytes, sha256 } = await awaitWithoutLocation(context, document, deadline);
  return { media: { ...media, mimeType, sizeBytes, sha256 }, ...urls.expiring(_id, expiresAt) };
}
