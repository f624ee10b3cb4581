import type { CreatePostRequest, PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import type { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { Call, Client } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';

type Library = Client<typeof LibraryServiceService>;

/** URLs are fetched within the request: the library gives each of them 25 s, and then stores it. */
const IMPORT_TIMEOUT_MS = 40_000;

/**
 * Finds or fetches all media of a new post: ids are verified against the business, URLs are copied into storage. All or nothing.
 * Ids of copies derive from the operation, so that a repeat copies nothing again.
 * @throws DomainError invalid_value that names the entry
 */
export async function resolveMedia(
  library: Library,
  request: CreatePostRequest,
  call: Call,
): Promise<{ media: PostMedia[]; overrides: PlatformOverride[] }> {
  if (request.designId !== undefined)
    throw new DomainError('invalid_value', 'This business has no design with that id.', { param: 'design_id' });
  await checkCover();
  const media = request.mediaIds.length > 0 ? await byIds(request.mediaIds) : await byUrls(request.mediaUrls, 'media_urls');
  const overrides: PlatformOverride[] = [];
  for (const [index, { override, mediaUrls }] of request.platformOverrides.entries()) {
    if (!override) continue;
    const items = mediaUrls && (await byUrls(mediaUrls.urls, `platform_overrides.${index}.media_urls`));
    overrides.push({ ...override, media: items && { items } });
  }
  return { media, overrides };

  async function byIds(ids: readonly string[]): Promise<PostMedia[]> {
    const found = new Map((await library.batchGetMedia({ mediaIds: [...ids] }, { call })).media.map((one) => [one.id, one]));
    return ids.map((id, index) => {
      const one = found.get(id);
      if (!one) throw new DomainError('invalid_value', 'This business has no media with that id.', { param: `media_ids.${index}` });
      return toPostMedia(one);
    });
  }

  async function byUrls(urls: readonly string[], param: string): Promise<PostMedia[]> {
    if (urls.length === 0) return [];
    const { mediaByUrl } = await library.resolveMediaUrls({ urls: [...urls] }, { call });
    const imported = await Promise.all(urls.map(async (url, index) => mediaByUrl[url] ?? (await importUrl(url, `${param}.${index}`))));
    return imported.map(toPostMedia);
  }

  async function importUrl(url: string, param: string): Promise<Media> {
    const { operationId } = request;
    const { media: one } = await library.importMedia(
      { operationId, mediaId: derivedId(operationId, param), url, param },
      { call, timeoutMs: IMPORT_TIMEOUT_MS },
    );
    if (!one) throw new DomainError('internal_error', 'The library answered without media.');
    return one;
  }

  async function checkCover() {
    if (request.coverMediaId === undefined) return;
    const [cover] = (await library.batchGetMedia({ mediaIds: [request.coverMediaId] }, { call })).media;
    if (cover?.type !== 'MEDIA_TYPE_IMAGE') {
      throw new DomainError('invalid_value', 'This business has no image with that id.', { param: 'cover_media_id' });
    }
  }
}

function toPostMedia(media: Media): PostMedia {
  return {
    id: media.id,
    url: media.url,
    type: media.type === 'MEDIA_TYPE_VIDEO' ? 'video' : 'image',
    description: media.altText,
    transcript: '',
    duration: (media.durationMs ?? 0) / 1000,
  };
}
