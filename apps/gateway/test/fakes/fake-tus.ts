import type { IncomingMessage, ServerResponse } from 'node:http';

/** A resumable upload in the fake library. */
export interface FakeUpload {
  readonly owner: string;
  readonly length: number;
  readonly metadata: string;
  body: Buffer;
  /** Whether the last part was sent to its end. */
  whole: boolean;
  readonly headers: IncomingMessage['headers'];
}

/** Responds to requests of the tus protocol like the library, as far as clients of the gateway can see. */
export function fakeTus(uploads: Map<string, FakeUpload>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.url?.split('/')[2] ?? '';
    const owner = `${String(request.headers['x-organization-id'])} ${String(request.headers['x-business-id'])}`;
    const reject = (status: number, code: string, param?: string) =>
      void response.writeHead(status).end(request.method === 'HEAD' ? undefined : JSON.stringify({ code, detail: 'Rejected.', param }));

    if (request.method === 'POST') {
      const length = Number(request.headers['upload-length']);
      const metadata = String(request.headers['upload-metadata']);
      if (!uploads.has(id)) {
        uploads.set(id, { owner, length, metadata, body: Buffer.alloc(0), whole: false, headers: request.headers });
      }
    }
    const upload = uploads.get(id);
    if (!upload || upload.owner !== owner) return reject(404, 'resource_not_found');
    if (request.method === 'DELETE') {
      uploads.delete(id);
      return void response.writeHead(204).end();
    }
    if (request.method === 'PATCH' && Number(request.headers['upload-offset']) !== upload.body.length) {
      return reject(409, 'upload_conflict', 'Upload-Offset');
    }
    if (request.headers['content-type'] === 'application/offset+octet-stream') {
      upload.whole = false;
      try {
        for await (const chunk of request) upload.body = Buffer.concat([upload.body, chunk as Buffer]);
        upload.whole = true;
      } catch {
        return; // The received bytes are kept.
      }
      if (upload.body.toString() === 'no image') return reject(400, 'invalid_value', 'file');
    }
    response.writeHead(request.method === 'POST' ? 201 : request.method === 'HEAD' ? 200 : 204, {
      'upload-offset': upload.body.length,
      ...(request.method === 'HEAD' && { 'upload-length': upload.length, 'upload-metadata': upload.metadata }),
      'upload-expires': 'Sat, 08 Aug 2026 09:30:00 GMT',
      'x-inner': 'not shown to clients',
    });
    response.end();
  };
}
