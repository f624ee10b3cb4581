import { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';

export type FakeLibrary = Awaited<ReturnType<typeof startFakeLibrary>>;

/** A library on real gRPC with the media that a test adds. It imports every URL that does not contain `broken`. */
export async function startFakeLibrary() {
  const media = new Map<string, Media>();
  const unready = new Map<string, Media>();
  let blocked: { readonly part: string; readonly until: Promise<void> } | undefined;
  /** Current reservations, by holder and operation. */
  const reserved = new Map<string, { holder: string; revision: number; mediaIds: string[] }>();
  const needed = new Set<string>();
  let reservations = 0;
  let isUnavailable = false;
  let canFetchAll = false;
  let beforeReserved: (() => Promise<unknown>) | undefined;
  let beforeReserving: (() => unknown) | undefined;
  const imports: { operationId: string; mediaId: string; url: string; param: string; businessId: string }[] = [];
  const urlOf = (id: string) => `https://media.example/${id}.jpg`;
  const aMedia = (id: string, businessId: string, more: Partial<Media> = {}) =>
    Media.fromPartial({ id, businessId, type: 'MEDIA_TYPE_IMAGE', url: urlOf(id), altText: `alt ${id}`, ...more });

  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: LibraryServiceService,
    handlers: {
      ...unusedMethods(LibraryServiceService),
      async batchGetMedia({ mediaIds }, { metadata }) {
        const found = mediaIds.flatMap((id) => media.get(id) ?? []).filter(({ businessId }) => businessId === metadata.businessId);
        return { media: found.reverse() }; // In an order that callers must not rely on.
      },
      async getMedia({ mediaId }, { metadata }) {
        const one = media.get(mediaId) ?? unready.get(mediaId);
        if (one?.businessId !== metadata.businessId) throw notFound('media');
        return { media: one };
      },
      async deleteMedia({ mediaId }, { metadata }) {
        const one = media.get(mediaId);
        if (one?.businessId !== metadata.businessId) throw notFound('media');
        if (needed.has(mediaId)) throw new DomainError('conflict', 'The media is still needed.');
        media.delete(mediaId);
        return {};
      },
      async reserveMedia({ holder, revision, mediaIds, operationId }) {
        reservations++;
        beforeReserving?.();
        if (isUnavailable) throw new Error('The library is unavailable.');
        const missing = mediaIds.findIndex((id) => !media.has(id));
        if (missing !== -1) throw new DomainError('resource_not_found', 'Media not found.', { param: `media_ids.${missing}` });
        reserved.set(`${holder}#${operationId}`, { holder, revision, mediaIds });
        await beforeReserved?.();
        return {};
      },
      async releaseMedia({ holder, operationId }) {
        reserved.delete(`${holder}#${operationId}`);
        return {};
      },
      async resolveMediaUrls({ urls }, { metadata }) {
        const ours = [...media.values()].filter((one) => urls.includes(one.url) && one.businessId === metadata.businessId);
        return { mediaByUrl: Object.fromEntries(ours.map((one) => [one.url, one])) };
      },
      async importMedia({ operationId, mediaId, url, param }, { metadata: { businessId } }) {
        imports.push({ operationId, mediaId, url, param, businessId });
        if (blocked && url.includes(blocked.part)) await blocked.until;
        if (url.includes('broken') && !canFetchAll) throw new DomainError('invalid_value', 'The URL could not be fetched.', { param });
        const one = media.get(mediaId) ?? aMedia(mediaId, businessId);
        media.set(mediaId, one);
        return { media: one };
      },
    },
    health: createHealth(),
    log: createLogger('library', 'silent'),
  });

  return {
    address: `127.0.0.1:${server.port}`,
    imports,
    add(businessId: string, more: Partial<Media> = {}): string {
      const id = newId();
      media.set(id, aMedia(id, businessId, more));
      return id;
    },
    /** Media that are not ready, which only a single read returns. */
    addUnready(businessId: string, status: 'MEDIA_STATUS_PROCESSING' | 'MEDIA_STATUS_FAILED', failure?: Media['failure']): string {
      const id = newId();
      unready.set(id, aMedia(id, businessId, { status, failure, type: 'MEDIA_TYPE_UNSPECIFIED' }));
      return id;
    },
    /** Makes deletions of the media fail. */
    need: (id: string) => needed.add(id),
    has: (id: string) => media.has(id),
    remove: (id: string) => media.delete(id),
    mediaOf: (id: string) => media.get(id) ?? Promise.reject(new Error('Media not found.')),
    /** Media that are reserved for a post by attempts to commit. */
    reservedFor: (postId: string) => [...reserved.values()].filter(({ holder }) => holder === `post:${postId}`),
    /** The number of calls that reserve media. */
    reservations: () => reservations,
    /** Makes reservations fail, as if the library were unavailable. */
    setUnavailable: (unavailable: boolean) => (isUnavailable = unavailable),
    /** Runs once, before a reservation checks whether the media exist. */
    beforeReserving(happening: () => unknown) {
      beforeReserving = () => {
        beforeReserving = undefined;
        happening();
      };
    },
    /** Runs once, after media were reserved and before the response. */
    beforeReserved(happening: () => Promise<unknown>) {
      beforeReserved = async () => {
        beforeReserved = undefined;
        await happening();
      };
    },
    urlOf,
    /** From now on every URL can be fetched. */
    fetchAll: () => (canFetchAll = true),
    /** Blocks imports of URLs that contain a text until the returned function is called. */
    blockImports(part = ''): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      blocked = { part, until: promise };
      return () => {
        blocked = undefined;
        resolve();
      };
    },
    stop: () => server.stop(),
  };
}
