import { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { withoutUse } from '@fanfare/testing';

export type PretendLibrary = Awaited<ReturnType<typeof startPretendLibrary>>;

/** A library on real gRPC that has what a test puts into it, and imports every URL but those with `broken` in them. */
export async function startPretendLibrary() {
  const media = new Map<string, Media>();
  let held: Promise<void> | undefined;
  const imports: { operationId: string; mediaId: string; url: string; param: string; businessId: string }[] = [];
  const urlOf = (id: string) => `https://media.example/${id}.jpg`;
  const aMedia = (id: string, businessId: string, more: Partial<Media> = {}) =>
    Media.fromPartial({ id, businessId, type: 'MEDIA_TYPE_IMAGE', url: urlOf(id), altText: `alt ${id}`, ...more });

  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: LibraryServiceService,
    handlers: {
      ...withoutUse(LibraryServiceService),
      async batchGetMedia({ mediaIds }, { metadata }) {
        const found = mediaIds.flatMap((id) => media.get(id) ?? []).filter(({ businessId }) => businessId === metadata.businessId);
        return { media: found.reverse() }; // In no order that anybody may rely on.
      },
      async resolveMediaUrls({ urls }, { metadata }) {
        const ours = [...media.values()].filter((one) => urls.includes(one.url) && one.businessId === metadata.businessId);
        return { mediaByUrl: Object.fromEntries(ours.map((one) => [one.url, one])) };
      },
      async importMedia({ operationId, mediaId, url, param }, { metadata: { businessId } }) {
        imports.push({ operationId, mediaId, url, param, businessId });
        await held;
        if (url.includes('broken')) throw new DomainError('invalid_value', 'Nothing could be fetched from there.', { param });
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
    urlOf,
    /** Lets imports wait until what this returns is called. */
    holdImports(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    stop: () => server.stop(),
  };
}
