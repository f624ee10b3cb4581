import type { CreatePostRequest, PlatformOverride, PostMedia, UpdatePostRequest } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { designMedia } from './design-media.ts';
import { distinctUrls, type GivenUrl } from './given-urls.ts';
import { mediaByIds, mediaOfOverrides } from './media-by-ids.ts';
import { withinRoom } from './media-texts.ts';
import { toPostMedia } from './to-post-media.ts';

type Library = Context['library'];

/** The media fields of a create or an edit. */
export type GivenMedia = Pick<
  CreatePostRequest & UpdatePostRequest,
  'operationId' | 'mediaIds' | 'mediaUrls' | 'designId' | 'coverMediaId' | 'platformOverrides'
>;

export interface ResolvedMedia {
  readonly media: PostMedia[];
  readonly overrides: PlatformOverride[];
  /** The revision of the design that has these media; undefined without a design. */
  readonly designRevision?: number | undefined;
}

/** URLs are fetched within the request: the library has 25 s for each download, and then stores the file. */
const IMPORT_TIMEOUT_MS = 40_000;
/** Downloads of one request at a time: the library buffers and stores up to 50 MB for each. */
const CONCURRENCY = 8;

/**
 * Resolves all media of a request: ids are looked up in the business, URLs are fetched into the library. It fails as a whole.
 * @param importId the ids of fetched media derive from it, so that repeats that join the same import do not fetch again
 * @throws DomainError invalid_value that names the entry
 */
export async function resolveMedia(
  services: Pick<Context, 'library' | 'generation'>,
  given: GivenMedia,
  importId: string,
  call: Call,
): Promise<ResolvedMedia> {
  const { library } = services;
  const design = await designMedia(services, given, call);
  await checkCover(library, given, call);
  const named = await mediaByIds(library, given, call);
  const namedByOverrides = await mediaOfOverrides(library, given, call);
  const fetched = await mediaOfUrls(library, given, importId, call);
  const mediaOf = (urls: readonly string[]) => urls.flatMap((url) => fetched.get(url) ?? []);
  const resolved = withinRoom({
    media: design?.media ?? (named.length > 0 ? named : mediaOf(given.mediaUrls)),
    overrides: given.platformOverrides.flatMap(({ override, mediaUrls }, index): PlatformOverride[] => {
      if (!override) return [];
      const items = namedByOverrides[index] ?? (mediaUrls && mediaOf(mediaUrls.urls));
      return [{ ...override, media: items && { items } }];
    }),
  });
  return { ...resolved, designRevision: design?.revision };
}

/**
 * Fetches the media of all URLs, of the post and of each override. A URL that occurs twice is fetched once. If one fails, no other is started, and running
 * fetches are awaited, so that the deletion of the fetched media finds all of them.
 */
async function mediaOfUrls(library: Library, given: GivenMedia, importId: string, call: Call): Promise<Map<string, PostMedia>> {
  const waiting = distinctUrls(given);
  if (waiting.length === 0) return new Map();
  const { mediaByUrl } = await library.resolveMediaUrls({ urls: waiting.map(({ url }) => url) }, { call });
  const known = new Map(Object.entries(mediaByUrl));
  const fetched = new Map<string, PostMedia>();
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let one = waiting.shift(); one && failures.length === 0; one = waiting.shift()) {
        try {
          const media = known.get(one.url) ?? (await importUrl(library, { operationId: given.operationId, importId }, one, call));
          fetched.set(one.url, toPostMedia(media, one.param));
        } catch (error) {
          failures.push(error);
        }
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
  return fetched;
}

async function importUrl(
  library: Library,
  { operationId, importId }: { operationId: string; importId: string },
  { url, param }: GivenUrl,
  call: Call,
): Promise<Media> {
  const request = { operationId, mediaId: derivedId(importId, param), url, param, mayContinue: false, altText: '' };
  const { media } = await library.importMedia(request, { call, timeoutMs: IMPORT_TIMEOUT_MS });
  if (!media) throw new DomainError('internal_error', 'The response of the library has no media.');
  return media;
}

/** @throws DomainError invalid_value */
export async function checkCover(library: Library, { coverMediaId }: Pick<GivenMedia, 'coverMediaId'>, call: Call): Promise<void> {
  if (coverMediaId === undefined) return;
  const [cover] = (await library.batchGetMedia({ mediaIds: [coverMediaId] }, { call })).media;
  if (cover?.type !== 'MEDIA_TYPE_IMAGE') {
    throw new DomainError('invalid_value', 'This business has no image with this id.', { param: 'cover_media_id' });
  }
}
