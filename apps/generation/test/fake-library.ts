import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { LibraryServiceService, Media } from '@fanfare/contracts/library';
import { DomainError, notFound } from '@fanfare/errors';
import { fromHeaders, startRpcServer } from '@fanfare/rpc';
import { problemBody, readDescriptionHeader, type UploadDescription } from '@fanfare/rpc/bytes';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';
import sharp from 'sharp';

interface Stored {
  readonly media: Media;
  readonly bytes: Buffer;
}

/** A fake library on real gRPC and HTTP. It stores each uploaded media file once. */
export async function startFakeLibrary() {
  const stored = new Map<string, Stored>();
  const needed = new Set<string>();
  let uploads = 0;
  let uploadError: DomainError | undefined;
  let rejectedFile: { name: string; why: string } | undefined;
  const http = createServer((request, response) => {
    void (async () => {
      const [, kind, id = ''] = (request.url ?? '').split('/');
      if (kind === 'bytes') return response.end(stored.get(id)?.bytes);
      const bytes = await buffer(request);
      uploads++;
      if (uploadError) return response.writeHead(429, { 'content-type': 'application/problem+json' }).end(problemBody(uploadError));
      const { businessId } = fromHeaders(request.headers);
      const { alt_text = '', description = '', file_name = '' } = readDescriptionHeader(request.headers) as UploadDescription;
      if (file_name === rejectedFile?.name)
        return response
          .writeHead(415, { 'content-type': 'application/problem+json' })
          .end(problemBody(new DomainError('unsupported_media_type', rejectedFile.why)));
      if (!stored.has(id)) {
        const type = file_name.endsWith('.mp4') ? ('MEDIA_TYPE_VIDEO' as const) : ('MEDIA_TYPE_IMAGE' as const);
        const url = `https://media.example/${id}/${file_name}`;
        const media = Media.fromPartial({
          id,
          businessId,
          type,
          url,
          altText: alt_text,
          description,
          fileName: file_name,
          sizeBytes: bytes.length,
        });
        stored.set(id, { media, bytes });
      }
      return response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, url: stored.get(id)?.media.url }));
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const find = (id: string, businessId: string) => {
    const found = stored.get(id);
    return found?.media.businessId === businessId ? [found.media] : [];
  };

  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: LibraryServiceService,
    handlers: {
      ...unusedMethods(LibraryServiceService),
      async batchGetMedia({ mediaIds }, { metadata }) {
        return { media: mediaIds.flatMap((id) => find(id, metadata.businessId)) };
      },
      async signMediaUrls({ mediaIds }, { metadata }) {
        const media = mediaIds.flatMap((id) => find(id, metadata.businessId));
        return { media: media.map((one) => ({ media: one, publicUrl: one.url, internalUrl: `${baseUrl}/bytes/${one.id}` })) };
      },
      async listMedia(_request, { metadata }) {
        return {
          media: [...stored.values()].map(({ media }) => media).filter(({ businessId }) => businessId === metadata.businessId),
          nextPageToken: '',
        };
      },
      async deleteMedia({ mediaId }, { metadata }) {
        if (find(mediaId, metadata.businessId).length === 0) throw notFound('media');
        if (needed.has(mediaId)) throw new DomainError('conflict', 'A post needs it.');
        stored.delete(mediaId);
        return {};
      },
    },
    health: createHealth(),
    log: createLogger('library', 'silent'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    baseUrl,
    stored,
    uploads: () => uploads,
    /** Rejects uploads with this error until it is undefined. */
    reject: (error: DomainError | undefined) => (uploadError = error),
    /** Rejects files with this name. */
    rejectFile: (name: string, why: string) => (rejectedFile = { name, why }),
    need: (id: string) => needed.add(id),
    idsOf: (businessId: string) => [...stored.values()].filter(({ media }) => media.businessId === businessId).map(({ media }) => media.id),
    async addImage(businessId: string, more: Partial<Media> = {}, bytes?: Buffer): Promise<string> {
      const id = newId();
      const image = sharp({ create: { width: 800, height: 600, channels: 3, background: '#3366cc' } })
        .jpeg()
        .toBuffer();
      const size = { width: 800, height: 600, type: 'MEDIA_TYPE_IMAGE' as const, url: `https://media.example/${id}` };
      stored.set(id, { media: Media.fromPartial({ id, businessId, ...size, ...more }), bytes: bytes ?? (await image) });
      return id;
    },
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.stop();
    },
  };
}
