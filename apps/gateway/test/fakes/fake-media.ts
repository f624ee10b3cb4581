import type { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call, Handlers } from '@fanfare/rpc';
import { pageOf, tokenAfter } from '../pages.ts';
import { aMedia } from '../values.ts';
import type { Note } from '../note.ts';

type Fakes = Pick<
  Handlers<typeof LibraryServiceService>,
  | 'importMedia'
  | 'batchGetMedia'
  | 'resolveMediaUrls'
  | 'signMediaUrls'
  | 'getMedia'
  | 'listMedia'
  | 'updateMedia'
  | 'deleteMedia'
  | 'getStorageUsage'
>;

/** The library's media without its rules, which are tested with the real one. */
export function fakeMedia(all: Map<string, Media>, note: Note): Fakes {
  const found = (id: string, { metadata }: Call): Media => {
    const media = all.get(id);
    if (media?.businessId !== metadata.businessId) throw notFound('media');
    return media;
  };
  return {
    async importMedia(request, call) {
      note('importMedia', request, call);
      const isLarge = request.url.endsWith('.mov');
      const status = isLarge ? 'MEDIA_STATUS_PROCESSING' : 'MEDIA_STATUS_READY';
      return { media: aMedia({ id: request.mediaId, businessId: call.metadata.businessId, source: request.url, status }) };
    },
    async batchGetMedia(request) {
      return { media: request.mediaIds.flatMap((id) => all.get(id) ?? []) };
    },
    async resolveMediaUrls({ urls }) {
      return { mediaByUrl: Object.fromEntries([...all.values()].filter(({ url }) => urls.includes(url)).map((one) => [one.url, one])) };
    },
    signMediaUrls: async () => ({ media: [] }),
    async getMedia(request, call) {
      note('getMedia', request, call);
      return { media: found(request.mediaId, call) };
    },
    async listMedia(request, call) {
      note('listMedia', request, call);
      return {
        media: pageOf(
          [...all.values()].filter(
            ({ businessId, folderId }) =>
              businessId === call.metadata.businessId && (folderId === undefined || request.allFolders || folderId === request.folderId),
          ),
          request,
        ),
        nextPageToken: tokenAfter(request),
      };
    },
    async updateMedia(request, call) {
      note('updateMedia', request, call);
      const media = found(request.mediaId, call);
      const changed = { ...media, altText: request.altText ?? media.altText, revision: media.revision + 1 };
      all.set(media.id, changed);
      return { media: changed };
    },
    async deleteMedia(request, call) {
      note('deleteMedia', request, call);
      found(request.mediaId, call);
      if (!request.force && request.mediaId.startsWith('needed')) throw new DomainError('conflict', 'The media is still needed by post 1.');
      all.delete(request.mediaId);
      return {};
    },
    async getStorageUsage(request, call) {
      note('getStorageUsage', request, call);
      return { bytes: 7_000, files: 3, heldBytes: 1_000, heldFiles: 1 };
    },
  };
}
