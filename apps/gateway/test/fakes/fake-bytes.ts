import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import type { Media } from '@fanfare/contracts/library';
import { type FakeServices } from './fake-services.ts';
import { aMedia, BYTES, inADay } from '../values.ts';
import { fakeTus } from './fake-tus.ts';

type Stored = Pick<FakeServices, 'media' | 'uploads' | 'resumable' | 'silent' | 'archives' | 'archiveRequests' | 'holds'>;

/** The library's HTTP port: accepts uploads and archives, and serves known media. */
export function fakeBytes({ media, uploads, resumable, silent, archives, archiveRequests, holds }: Stored): Server {
  const tus = fakeTus(resumable);
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/tus/')) return void tus(request, response);
    if (url.startsWith('/archives/'))
      return void receiveArchive(request).then(
        (body) => response.end(JSON.stringify(body)),
        () => response.destroy(),
      );
    if (request.method === 'PUT')
      return void receive(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
    if (url.startsWith('/media/silent/')) return void silent.push(url);
    if (!url.startsWith('/media/known/')) return void response.writeHead(404).end('{"code":"resource_not_found"}');
    const headers = {
      'content-type': 'image/png',
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'keep-alive': 'timeout=9',
      'x-request-id': 'inner',
    };
    if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304, headers).end();
    if (request.headers.range === 'bytes=4-8') {
      const part = BYTES.slice(4, 9);
      return void response.writeHead(206, { ...headers, 'content-length': 5, 'content-range': `bytes 4-8/${BYTES.length}` }).end(part);
    }
    if (request.headers.range)
      return void response.writeHead(416, { 'content-range': `bytes */${BYTES.length}`, 'content-length': 0 }).end();
    response.writeHead(200, { ...headers, 'content-length': BYTES.length }).end(request.method === 'HEAD' ? undefined : BYTES);
  });
  async function receiveArchive(request: IncomingMessage): Promise<unknown> {
    const id = request.url?.split(/[/?]/)[2] ?? '';
    const body = await buffer(request);
    archiveRequests.set(id, request.url ?? '');
    if (!archives.has(id)) archives.set(id, body);
    await holds.get('archive');
    return { size_bytes: body.length, sha256: 'the hash of the archive', expires_at: inADay().toISOString() };
  }
  async function receive(request: IncomingMessage): Promise<[number, unknown]> {
    const id = request.url?.split(/[/?]/)[2] ?? '';
    const upload = { body: '', ended: false, complete: false, url: request.url ?? '', headers: request.headers };
    uploads.set(id, upload);
    upload.body = await text(request).catch(() => '');
    upload.ended = true;
    if (!request.complete) return [400, {}];
    if (upload.body === 'no image') return [400, { code: 'invalid_value', detail: 'The file is not an image or video.', param: 'file' }];
    upload.complete = true;
    if (media.has(id)) return [200, {}]; // Like the library: the first upload stays.
    media.set(
      id,
      aMedia({
        id,
        businessId: String(request.headers['x-business-id']),
        sha256: createHash('sha256').update(upload.body).digest('hex'),
        ...describedBy(request.headers),
      }),
    );
    return [200, {}];
  }
  return server;
}

/** The description of a file that the gateway sent with its bytes. */
export function describedBy({ 'x-media': header }: IncomingMessage['headers']): Partial<Media> {
  const said = JSON.parse(Buffer.from(String(header), 'base64').toString()) as Record<string, string>;
  return {
    altText: said['alt_text'] ?? '',
    description: said['description'] ?? '',
    fileName: said['file_name'] ?? '',
    folderId: said['folder_id'],
  };
}
