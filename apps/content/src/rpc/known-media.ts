import type { CheckedMedia } from '@fanfare/connectors/preflight';
import type { LibraryServiceService } from '@fanfare/contracts/library';
import type { Call, Client } from '@fanfare/rpc';

/** What platforms look at; undefined when one of them is no picture or video that this business has. */
export async function knownMedia(
  library: Client<typeof LibraryServiceService>,
  mediaIds: string[],
  call: Call,
): Promise<CheckedMedia[] | undefined> {
  if (mediaIds.length === 0) return [];
  const found = new Map((await library.batchGetMedia({ mediaIds }, { call })).media.map((one) => [one.id, one]));
  const known = mediaIds.flatMap((id): CheckedMedia[] => {
    const media = found.get(id);
    if (media?.type !== 'MEDIA_TYPE_IMAGE' && media?.type !== 'MEDIA_TYPE_VIDEO') return [];
    const { mimeType, sizeBytes, width, height, durationMs, altText } = media;
    const type = media.type === 'MEDIA_TYPE_VIDEO' ? 'video' : 'image';
    return [{ type, mimeType, sizeBytes, width, height, altText, ...(durationMs !== undefined && { durationMs }) }];
  });
  return known.length === mediaIds.length ? known : undefined;
}
