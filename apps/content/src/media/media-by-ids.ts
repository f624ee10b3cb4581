import type { CreatePostRequest, PostMedia } from '@fanfare/contracts/content';
import type { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { Call, Client } from '@fanfare/rpc';
import { toPostMedia, whyNot } from './to-post-media.ts';

type Library = Client<typeof LibraryServiceService>;

/**
 * @param param the request parameter that contains the ids
 * @throws DomainError invalid_value with the ids of media that do not exist, or that a post of this business cannot use, and why
 */
export async function mediaByIds(
  library: Library,
  { mediaIds }: Pick<CreatePostRequest, 'mediaIds'>,
  call: Call,
  param = 'media_ids',
): Promise<PostMedia[]> {
  if (mediaIds.length === 0) return [];
  const found = new Map((await library.batchGetMedia({ mediaIds }, { call })).media.map((one) => [one.id, one]));
  const reasons = await Promise.all(
    mediaIds.map(async (id) => {
      const media = found.get(id) ?? (await notReady(library, id, call));
      return media ? whyNot(media) : 'This business has no media with this id.';
    }),
  );
  const errors = reasons.flatMap((detail, index) =>
    detail === undefined ? [] : [{ param: `${param}.${index}`, code: 'invalid_value' as const, detail }],
  );
  const [first] = errors;
  if (first) throw new DomainError('invalid_value', first.detail, { param: first.param, errors });
  return mediaIds.flatMap((id, index) => {
    const media = found.get(id);
    return media ? [toPostMedia(media, `${param}.${index}`)] : [];
  });
}

/** The media of each override, in order; undefined for an override without media. @throws DomainError invalid_value */
export async function mediaOfOverrides(
  library: Library,
  { platformOverrides }: Pick<CreatePostRequest, 'platformOverrides'>,
  call: Call,
): Promise<(PostMedia[] | undefined)[]> {
  const found: (PostMedia[] | undefined)[] = [];
  for (const [index, { mediaIds }] of platformOverrides.entries()) {
    const param = `platform_overrides.${index}.media_ids`;
    found.push(mediaIds && (await mediaByIds(library, { mediaIds: mediaIds.items }, call, param)));
  }
  return found;
}

/** Media that are being processed, or whose processing failed, are found only by a single read. Undefined if the media became ready in the meantime. */
async function notReady(library: Library, mediaId: string, call: Call): Promise<Media | undefined> {
  const { media } = await library.getMedia({ mediaId }, { call }).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'resource_not_found') return { media: undefined };
    throw error;
  });
  return media?.status === 'MEDIA_STATUS_READY' ? { ...media, status: 'MEDIA_STATUS_PROCESSING' } : media;
}
