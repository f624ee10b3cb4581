import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { DomainError, ERROR_TABLE, notFound } from '@fanfare/errors';
import { fromHeaders, type CallMetadata } from '@fanfare/rpc';
import { declaredBytesOf, problemBody, TUS_REQUEST_HEADERS } from '@fanfare/rpc/bytes';
import { isUuid } from '@fanfare/runtime';
import { Server } from '@tus/server';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { awaitMedia } from '../uploads/await-media.ts';
import { completeUpload, offsetOf } from '../uploads/complete-upload.ts';
import { tusError } from '../uploads/tus-error.ts';
import { createTusStore } from '../uploads/tus-store.ts';
import { folderChain } from '../documents/store/folders.ts';
import { findTusUpload, type TusUploadDocument } from '../uploads/store/tus-uploads.ts';
import { readDescription } from '../uploads/upload-description.ts';

const PATH = '/tus';
/** Response headers of the tus server that are not forwarded: the gateway sets its own. */
const NOT_FORWARDED = /^(?:connection|access-control-.*)$/;

/**
 * Serves a request of the tus protocol (https://tus.io/protocols/resumable-upload, 1.0.0) that the gateway forwards. The id is that of the future media,
 * and the headers have the call metadata. No locks: of two requests at the same offset, the blob store lets one continue. The bytes of an incomplete
 * body are kept, but only a complete body completes an upload.
 */
export async function serveTus(context: Context, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = fromHeaders(request.headers);
  if (!isUuid(id)) throw notFound('upload');
  if (request.method === 'POST') await checkCreation(context, call, request);
  const upload = request.method === 'HEAD' ? await completeIfWhole(context, call, id) : undefined;

  const body = bodyOf(request);
  const declaredBytes = body && declaredBytesOf(request.headers);
  const tus = createTusServer(context, { id, call, request });
  const relayed = new Request(`http://library${PATH}/${id}`, {
    method: request.method ?? '',
    headers: [
      // Without `Upload-Metadata`: @tus/server cannot read keys that are properties of every object, such as `constructor`.
      ...TUS_REQUEST_HEADERS.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
      // Lets @tus/server reject a body that is larger than the rest of the upload before any byte is stored.
      ...(declaredBytes === undefined ? [] : [['content-length', String(declaredBytes)] as [string, string]]),
    ],
    ...(body && { body: Readable.toWeb(body), duplex: 'half' }),
  });
  const tusResponse = await tus.handleWeb(relayed);
  if (body) request.unpipe(body);
  // The rest of a rejected body is read and discarded, so that the sender can read the response.
  request.resume();
  response.writeHead(tusResponse.status, {
    ...Object.fromEntries([...tusResponse.headers].filter(([name]) => !NOT_FORWARDED.test(name))),
    ...(tusResponse.ok && upload && upload.metadata !== '' && { 'upload-metadata': upload.metadata }),
  });
  response.end(request.method === 'HEAD' ? undefined : await tusResponse.text());
}

function createTusServer(context: Context, { id, call, request }: { id: string; call: CallMetadata; request: IncomingMessage }): Server {
  const { config, db, log } = context;
  return new Server({
    path: PATH,
    datastore: createTusStore(context, call, {
      ...readDescription(request.headers),
      metadata: request.headers['upload-metadata']?.toString() ?? '',
    }),
    locker: { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) },
    maxSize: config.uploadMaxBytes,
    namingFunction: () => id,
    generateUrl: () => `${PATH}/${id}`,
    async onUploadFinish() {
      const upload = request.complete ? await findTusUpload(db, scopeOf(call), id) : null;
      if (upload) {
        await completeUpload(context, upload);
        await awaitMedia(context, scopeOf(call), id);
      }
      return {};
    },
    onResponseError(_request, thrown) {
      const error = tusError(thrown) ?? new DomainError('internal_error', 'Something went wrong on our side.', { cause: thrown });
      if (error.code === 'internal_error') log.error({ err: thrown }, 'a request of a resumable upload failed');
      return { status_code: ERROR_TABLE[error.code].httpStatus, body: problemBody(error) };
    },
  });
}

/** Checks what can be checked before a large file is sent. */
async function checkCreation({ config, db }: Context, call: CallMetadata, { headers }: IncomingMessage): Promise<void> {
  if (Number(headers['upload-length']) > config.uploadMaxBytes) {
    const detail = `The file is larger than ${Math.floor(config.uploadMaxBytes / 1024 / 1024)} MiB.`;
    throw new DomainError('payload_too_large', detail, { param: 'Upload-Length' });
  }
  const { folder_id: folderId } = readDescription(headers);
  if (folderId !== undefined && folderId !== '' && !(await folderChain(db, scopeOf(call), folderId))) {
    throw new DomainError('invalid_value', 'This business has no folder with this id.', { param: 'folder_id' });
  }
}

/** Completes an upload whose last byte was stored by a process that was killed before it completed it: the client will send nothing more. */
async function completeIfWhole(context: Context, call: CallMetadata, id: string): Promise<TusUploadDocument | null> {
  const upload = await findTusUpload(context.db, scopeOf(call), id);
  if (upload?.state === 'open' && (await offsetOf(context, upload)) === upload.size_bytes) await completeUpload(context, upload);
  return upload;
}

/** The body as a stream that ends normally if the connection breaks, so that the bytes that arrived are kept. */
function bodyOf(request: IncomingMessage): PassThrough | undefined {
  if (request.method !== 'POST' && request.method !== 'PATCH') return undefined;
  const body = new PassThrough();
  request.once('close', () => {
    if (!request.complete) body.end();
  });
  return request.on('error', () => body.end()).pipe(body);
}
