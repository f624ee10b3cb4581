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
/** The connection is ours, and so is who may read the response. */
const OURS = /^(?:connection|access-control-.*)$/;

/**
 * A request of the tus protocol (https://tus.io/protocols/resumable-upload, 1.0.0) that the gateway passes on; the id is that of the media to be, and
 * the call metadata stands in the headers. Nothing is locked: of two that send at the same offset, the blob store lets one get on. What arrives of a
 * body that breaks off is kept; only one that came to its end completes an upload.
 */
export async function serveTus(context: Context, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = fromHeaders(request.headers);
  if (!isUuid(id)) throw notFound('upload');
  if (request.method === 'POST') await checkCreation(context, call, request);
  const asked = request.method === 'HEAD' ? await completeIfWhole(context, call, id) : undefined;

  const body = bodyOf(request);
  const declaredBytes = body && declaredBytesOf(request.headers);
  const tus = createTusServer(context, { id, call, request });
  const relayed = new Request(`http://library${PATH}/${id}`, {
    method: request.method ?? '',
    headers: [
      // Without `Upload-Metadata`, which the protocol's server cannot read when a name is one that every object has.
      ...TUS_REQUEST_HEADERS.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
      // More than is left of the upload is rejected before anything of it is kept.
      ...(declaredBytes === undefined ? [] : [['content-length', String(declaredBytes)] as [string, string]]),
    ],
    ...(body && { body: Readable.toWeb(body), duplex: 'half' }),
  });
  const answer = await tus.handleWeb(relayed);
  if (body) request.unpipe(body);
  // What comes of a body that was rejected is read and dropped, so that its sender gets to read why.
  request.resume();
  response.writeHead(answer.status, {
    ...Object.fromEntries([...answer.headers].filter(([name]) => !OURS.test(name))),
    ...(answer.ok && asked && asked.metadata !== '' && { 'upload-metadata': asked.metadata }),
  });
  response.end(request.method === 'HEAD' ? undefined : await answer.text());
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
      const told = tusError(thrown) ?? new DomainError('internal_error', 'Something went wrong on our side.', { cause: thrown });
      if (told.code === 'internal_error') log.error({ err: thrown }, 'a request of a resumable upload failed');
      return { status_code: ERROR_TABLE[told.code].httpStatus, body: problemBody(told) };
    },
  });
}

/** What can be rejected before a large file is sent. */
async function checkCreation({ config, db }: Context, call: CallMetadata, { headers }: IncomingMessage): Promise<void> {
  if (Number(headers['upload-length']) > config.uploadMaxBytes) {
    const detail = `The file is larger than ${Math.floor(config.uploadMaxBytes / 1024 / 1024)} MiB.`;
    throw new DomainError('payload_too_large', detail, { param: 'Upload-Length' });
  }
  const { folder_id: folderId } = readDescription(headers);
  if (folderId !== undefined && folderId !== '' && !(await folderChain(db, scopeOf(call), folderId))) {
    throw new DomainError('invalid_value', 'This business has no folder with that id.', { param: 'folder_id' });
  }
}

/** The process that took in the last byte may have been killed before it noted so; whoever hears that all is there sends nothing any more. */
async function completeIfWhole(context: Context, call: CallMetadata, id: string): Promise<TusUploadDocument | null> {
  const upload = await findTusUpload(context.db, scopeOf(call), id);
  if (upload?.state === 'open' && (await offsetOf(context, upload)) === upload.size_bytes) await completeUpload(context, upload);
  return upload;
}

/** The body, which ends where it breaks off: what arrived is kept. */
function bodyOf(request: IncomingMessage): PassThrough | undefined {
  if (request.method !== 'POST' && request.method !== 'PATCH') return undefined;
  const body = new PassThrough();
  request.once('close', () => {
    if (!request.complete) body.end();
  });
  return request.on('error', () => body.end()).pipe(body);
}
