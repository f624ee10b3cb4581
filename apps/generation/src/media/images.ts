import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';

const MAX_IMAGE_BYTES = 30 << 20;
const VALID_SECONDS = 3_600;

type Parts = Pick<Context, 'library' | 'libraryBytes'>;

/**
 * Reads images of the business from the library.
 * @param wanted ids, each with the parameter that errors name
 * @throws DomainError invalid_value if one is not an image of this business, or is too large to render
 */
export async function readImages(
  { library, libraryBytes }: Parts,
  wanted: readonly { readonly id: string; readonly param: string }[],
  metadata: CallMetadata,
  signal?: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  if (wanted.length === 0) return new Map();
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const found = await library.batchGetMedia({ mediaIds: ids }, { call: { metadata } });
  const byId = new Map(found.media.map((one) => [one.id, one]));
  for (const { id, param } of wanted) checkImage(byId.get(id), param);
  const { media } = await library.signMediaUrls({ mediaIds: ids, validForSeconds: VALID_SECONDS }, { call: { metadata } });
  const read = await Promise.all(
    media.map(
      async ({ media: one, internalUrl }) => [one?.id ?? '', await libraryBytes.get(internalUrl, MAX_IMAGE_BYTES, signal)] as const,
    ),
  );
  return new Map(read);
}

function checkImage(media: Media | undefined, param: string): void {
  if (media?.type !== 'MEDIA_TYPE_IMAGE') throw new DomainError('invalid_value', 'This business has no image with this id.', { param });
  if (media.sizeBytes > MAX_IMAGE_BYTES) throw new DomainError('invalid_value', 'The image is larger than 30 MiB.', { param });
}
