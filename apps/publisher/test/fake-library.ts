import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LibraryServiceService, Media, type SignedMedia } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import { startRpcServer, type RpcServer } from '@fanfare/rpc';
import { createHealth, createLogger, newId } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';
import sharp from 'sharp';

/** A library with real gRPC and real bytes behind its URLs. It can be unavailable, and lose media. */
export interface FakeLibrary {
  readonly address: string;
  /** Adds a JPEG. @returns its id */
  addImage(altText?: string): Promise<string>;
  /** Adds a PNG, which it converts to a JPEG on the second request, or cannot convert. It can report a different size. */
  addPng(options?: { readonly canBeConverted?: boolean; readonly sizeBytes?: number }): Promise<string>;
  /** Adds this upright MP4 of three seconds. @returns its id */
  addVideo(bytes: Buffer): string;
  remove(mediaId: string): void;
  /** Responds as if this media had not been requested. */
  leaveOut(mediaId: string): void;
  stopResponding(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFakeLibrary(port: number): Promise<FakeLibrary> {
  const address = `127.0.0.1:${port}`;
  const images = new Map<string, { media: Media; bytes: Buffer }>();
  const leftOut = new Set<string>();
  const requested = new Set<string>();
  const unconvertible = new Set<string>();
  const web = createServer((request, response) => {
    const found = images.get(request.url?.split('/').at(-1)?.replace('.jpg', '') ?? '');
    const bytes = found?.bytes;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = from === undefined ? bytes : bytes?.subarray(Number(from), Number(to) + 1);
    response.writeHead(bytes ? (from === undefined ? 200 : 206) : 404, {
      'content-type': found?.media.mimeType.startsWith('video/') ? 'video/mp4' : bytes ? 'image/jpeg' : 'text/plain',
      'content-length': part?.length ?? 0,
    });
    response.end(request.method === 'HEAD' ? undefined : part);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const sign = (media: Media): SignedMedia => ({
    media,
    publicUrl: `${origin}/${media.id}.jpg`,
    internalUrl: `${origin}/inside/${media.id}.jpg`,
  });

  const serve = () =>
    startRpcServer({
      address,
      definition: LibraryServiceService,
      handlers: {
        ...unusedMethods(LibraryServiceService),
        signMediaUrls: async ({ mediaIds }) => {
          const media = mediaIds.map((id) => sign(images.get(id)?.media ?? missing()));
          return { media: media.filter((one) => !leftOut.has(one.media?.id ?? '')) };
        },
        makeDerivative: async ({ mediaId, recipe }) => {
          const { media, bytes } = images.get(mediaId) ?? missing();
          expect(recipe).toMatchObject({ mimeType: 'image/jpeg' });
          if (unconvertible.has(mediaId)) {
            return {
              status: 'MEDIA_STATUS_FAILED' as const,
              derivative: undefined,
              failure: { code: 'invalid_value', detail: 'This image is broken.' },
            };
          }
          const jpegId = `${mediaId}-jpeg`;
          if (!requested.has(mediaId)) {
            requested.add(mediaId);
            return { status: 'MEDIA_STATUS_PROCESSING' as const, derivative: undefined, failure: undefined };
          }
          const jpeg = await sharp(bytes).jpeg().toBuffer();
          images.set(jpegId, { media: { ...media, id: jpegId, mimeType: 'image/jpeg' }, bytes: jpeg });
          const { publicUrl, internalUrl } = sign({ ...media, id: jpegId });
          const facts = {
            mimeType: 'image/jpeg',
            sizeBytes: jpeg.length,
            width: 600,
            height: 600,
            durationMs: undefined,
            sha256: 'of the JPEG',
          };
          return { status: 'MEDIA_STATUS_READY' as const, derivative: { ...facts, publicUrl, internalUrl }, failure: undefined };
        },
      },
      health: createHealth(),
      log: createLogger('library', 'silent'),
    });
  let rpc: RpcServer | undefined = await serve();

  return {
    address,
    async addImage(altText = '') {
      const id = newId();
      const bytes = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#c8562b' } })
        .jpeg()
        .toBuffer();
      const size = { sizeBytes: bytes.length, width: 600, height: 600 };
      images.set(id, { media: Media.fromPartial({ id, type: 'MEDIA_TYPE_IMAGE', mimeType: 'image/jpeg', altText, ...size }), bytes });
      return id;
    },
    async addPng({ canBeConverted = true, sizeBytes } = {}) {
      const id = newId();
      const bytes = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#2b56c8' } })
        .png()
        .toBuffer();
      const size = { sizeBytes: sizeBytes ?? bytes.length, width: 600, height: 600 };
      images.set(id, { media: Media.fromPartial({ id, type: 'MEDIA_TYPE_IMAGE', mimeType: 'image/png', ...size }), bytes });
      if (!canBeConverted) unconvertible.add(id);
      return id;
    },
    addVideo(bytes) {
      const id = newId();
      const facts = { sizeBytes: bytes.length, width: 540, height: 960, durationMs: 3_000 };
      images.set(id, { media: Media.fromPartial({ id, type: 'MEDIA_TYPE_VIDEO', mimeType: 'video/mp4', ...facts }), bytes });
      return id;
    },
    remove: (mediaId) => void images.delete(mediaId),
    leaveOut: (mediaId) => void leftOut.add(mediaId),
    async stopResponding() {
      await rpc?.stop();
      rpc = undefined;
    },
    async comeBack() {
      rpc ??= await serve();
    },
    async stop() {
      await rpc?.stop();
      await new Promise<void>((resolve) => (web.close(() => resolve()), web.closeAllConnections()));
    },
  };
}

function missing(): never {
  throw notFound('media');
}
