import type { SignedMedia } from '@fanfare/contracts/library';
import { currentMs } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { disposition, servedType } from '../media/domain/disposition.ts';
import { toMedia, type MediaDocument } from '../media/store/media.ts';
import { awaitWithoutLocation, mayHaveLocation } from './await-without-location.ts';

/** Signs the URLs of the file that is served, which may be a derivative: the properties are those of this file. */
export async function signUrls(context: Context, document: MediaDocument, expiresAt: Date, deadline: Date): Promise<SignedMedia> {
  const media = toMedia(document, context.urls);
  if (!mayHaveLocation(document)) return { media, ...(await urlsOf(context, document, expiresAt)) };
  const served = await awaitWithoutLocation(context, document, deadline);
  const { mime_type: mimeType, size_bytes: sizeBytes, sha256 } = served;
  return { media: { ...media, mimeType, sizeBytes, sha256 }, ...(await urlsOf(context, served, expiresAt)) };
}

/** With S3_PRESIGN, the public URL is one of the blob store itself. */
async function urlsOf(
  { blobs, config, urls }: Context,
  served: Pick<MediaDocument, '_id' | 'blob_id' | 'mime_type'>,
  expiresAt: Date,
): Promise<Pick<SignedMedia, 'publicUrl' | 'internalUrl'>> {
  const ours = urls.expiring(served._id, expiresAt);
  if (!config.blobs.presign) return ours;
  const publicUrl = await blobs.presign?.(served.blob_id, {
    expiresInSeconds: Math.floor((expiresAt.getTime() - currentMs()) / 1000),
    mimeType: servedType(served),
    disposition: disposition(served),
  });
  return { ...ours, publicUrl: publicUrl ?? ours.publicUrl };
}
