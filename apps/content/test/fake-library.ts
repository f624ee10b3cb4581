import { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';

export type FakeLibrary = Awaited<ReturnType<typeof startFakeLibrary>>;

/** A library on real gRPC that has what a test puts into it, and imports every URL but those with `broken` in them. */
export async function startFakeLibrary() {
  const media = new Map<string, Media>();
  const unready = new Map<string, Media>();
  let blocked: { readonly part: string; readonly until: Promise<void> } | undefined;
  /** Reservations that stand, by holder and operation. */
  const reserved = new Map<string, { holder: string; revision: number; mediaIds: string[] }>();
  const needed = new Set<string>();
  let reservations = 0;
  let isAway = false;
  let mended = false;
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
        return { media: found.reverse() }; // In no order that anybody may rely on.
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
        if (isAway) throw new Error('The library is away.');
        const missing = mediaIds.findIndex((id) => !media.has(id));
        if (missing !== -1) throw new DomainError('resource_not_found', 'No such media.', { param: `media_ids.${missing}` });
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
        if (url.includes('broken') && !mended) throw new DomainError('invalid_value', 'Nothing could be fetched from there.', { param });
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
    /** One that is not ready, or never will be: found one by one only. */
    addUnready(businessId: string, status: 'MEDIA_STATUS_PROCESSING' | 'MEDIA_STATUS_FAILED', failure?: Media['failure']): string {
      const id = newId();
      unready.set(id, aMedia(id, businessId, { status, failure, type: 'MEDIA_TYPE_UNSPECIFIED' }));
      return id;
    },
    /** Lets nobody delete it. */
    need: (id: string) => needed.add(id),
    has: (id: string) => media.has(id),
    remove: (id: string) => media.delete(id),
    mediaOf: (id: string) => media.get(id) ?? Promise.reject(new Error('No such media.')),
    /** What stands reserved for a post by attempts to commit. */
    reservedFor: (postId: string) => [...reserved.values()].filter(({ holder }) => holder === `post:${postId}`),
    /** How often anybody tried to reserve anything. */
    reservations: () => reservations,
    /** Whether it refuses to reserve, as if it were away. */
    setAway: (away: boolean) => (isAway = away),
    /** Happens when somebody asks to reserve media, before it is looked whether they are there; once. */
    beforeReserving(happening: () => unknown) {
      beforeReserving = () => {
        beforeReserving = undefined;
        happening();
      };
    },
    /** Happens when media are reserved, before whoever asked hears of it; once. */
    beforeReserved(happening: () => Promise<unknown>) {
      beforeReserved = async () => {
        beforeReserved = undefined;
        await happening();
      };
    },
    urlOf,
    /** From now on every URL can be fetched. */
    mend: () => (mended = true),
    /** Lets imports of URLs with that part wait until what this returns is called. */
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
