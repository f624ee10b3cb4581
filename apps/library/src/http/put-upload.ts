import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@fanfare/errors';
import { fromHeaders } from '@fanfare/rpc';
import { declaredBytesOf } from '@fanfare/rpc/bytes';
import { isUuid } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { parseStorageLimits } from '../storage/domain/storage-limits.ts';
import { rejection } from '../intake/rejection.ts';
import { storeMedia } from '../intake/store-media.ts';
import { mediaRejected } from '../metrics.ts';
import { readDescription } from '../uploads/upload-description.ts';
import { bytesLeft, checkRoom, noBytesLeft, readStorage } from '../storage/store/storage-usage.ts';
import { findMedia, toMedia, type MediaDocument } from '../media/store/media.ts';

const ALIVE_MS = 15_000;

/**
 * Stores the body of the request as media. The headers have the call metadata and the description of the file. A repeated request with the same id
 * returns the first result. The query parameter `param` is the parameter that errors of the file name (default `file`).
 */
export async function putUpload(
  context: Context,
  { id, url }: { id: string; url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { config, db, spool } = context;
  const call = fromHeaders(request.headers);
  const scope = scopeOf(call);
  const limits = parseStorageLimits(call.storageLimits);
  const param = url.searchParams.get('param') ?? 'file';
  const { file_name: fileName, folder_id: folderId, alt_text: altText, description } = readDescription(request.headers);
  if (!isUuid(id)) throw new DomainError('invalid_value', 'The id is not a UUID.', { param: 'media_id' });

  const [first] = await findMedia(db, scope, [id]);
  if (first) return respond(context, first, response);
  const declaredBytes = Math.max(declaredBytesOf(request.headers) ?? 1, 1);
  if (declaredBytes > config.uploadMaxBytes) throw tooLarge(config.uploadMaxBytes, param);

  // Rejects a file that exceeds the quota before it is read.
  await checkRoom(db, scope.organizationId, { bytes: declaredBytes, files: 1 }, limits);
  const usage = await readStorage(db, scope.organizationId);
  const left = bytesLeft(limits, usage);
  const isLimited = limits && left < config.uploadMaxBytes;
  const reject = () => (isLimited ? noBytesLeft(limits, usage) : tooLarge(config.uploadMaxBytes, param));
  const stored = await spool.withFile(async (file) => {
    await receive(request, file, atMost(Math.min(config.uploadMaxBytes, left), reject));
    const what = { id, file, source: 'upload', fileName, folderId, altText, description, limits, cause: call };
    return whileAlive(response, storeMedia(context, scope, what)).catch((error: unknown) =>
      Promise.reject(rejection(error, param) as Error),
    );
  });
  respond(context, stored, response);
}

/** Writes the body to a file. If it is rejected, the rest is read and discarded, so that the caller can read the error and reuse the connection. */
async function receive(request: IncomingMessage, file: string, limit: Transform): Promise<void> {
  try {
    await pipeline(request.iterator({ destroyOnReturn: false }), limit, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } finally {
    request.resume();
  }
}

/** Storing a large file takes longer than the idle timeouts. Informational responses (RFC 9110, 15.2) keep the connection open. */
async function whileAlive<T>(response: ServerResponse, work: Promise<T>): Promise<T> {
  const alive = setInterval(() => response.writeProcessing(), ALIVE_MS);
  try {
    return await work;
  } finally {
    clearInterval(alive);
  }
}

/** Sends the media as JSON, with the field names of the contract. */
function respond({ urls }: Context, document: MediaDocument, response: ServerResponse): void {
  const media = toMedia(document, urls);
  const body = JSON.stringify({
    id: media.id,
    business_id: media.businessId,
    created_at: media.createdAt,
    type: media.type,
    mime_type: media.mimeType,
    size_bytes: media.sizeBytes,
    width: media.width,
    height: media.height,
    duration_ms: media.durationMs,
    sha256: media.sha256,
    url: media.url,
    source: media.source,
    alt_text: media.altText,
  });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

function atMost(maxBytes: number, reject: () => DomainError): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(reject());
      else done(null, chunk);
    },
  });
}

function tooLarge(maxBytes: number, param: string): DomainError {
  mediaRejected('too_large');
  return new DomainError('payload_too_large', `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`, { param });
}
