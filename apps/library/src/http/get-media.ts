import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { notFound } from '@fanfare/errors';
import { currentMs, currentTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { disposition, servedType } from '../media/domain/disposition.ts';
import { bytesServed, downloadUnderWay } from '../metrics.ts';
import { findSignedArchive, type ArchiveDocument } from '../archives/store/archives.ts';
import { findSignedDerivative, type ReadyDerivative } from '../derivatives/store/derivatives.ts';
import { findSignedMedia, type MediaDocument } from '../media/store/media.ts';
import { byteRange } from './byte-range.ts';
import { unmetCondition, type Version } from './conditions.ts';

const DAY_SECONDS = 24 * 3600;

/**
 * Serves media, and archives of exports, by signed URLs. An invalid signature, an expired URL and deleted media get the same response: 404.
 * Never redirects, because platforms that download from here do not follow redirects.
 */
export async function getMedia(
  context: Context,
  { id, signature, url }: { id: string; signature: string; url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { blobs, db, urls } = context;
  const expires = url.searchParams.get('expires');
  if (!urls.verify(id, signature, expires, currentTime())) throw notFound('media');
  const media = (await findSignedMedia(db, id)) ?? (await findSignedDerivative(db, id)) ?? (await findSignedArchive(db, id));
  if (!media) throw notFound('media');

  // A test clock may be ahead, and HTTP allows no time in the future.
  const version = { etag: `"${media.sha256}"`, lastModified: new Date(Math.min(media.created_at.getTime(), currentMs())).toUTCString() };
  const headers = mediaHeaders(media, version, expires);
  const unmet = unmetCondition(request.headers, version);
  if (unmet)
    return void response.writeHead(unmet, { ...headers, ...(unmet === 412 && { 'cache-control': 'no-store', 'content-length': 0 }) }).end();

  const whole = { start: 0, end: media.size_bytes - 1 };
  const range = byteRange(request.headers, media.size_bytes, version);
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${media.size_bytes}`, 'content-length': 0 }).end();
  }
  const { start, end } = range ?? whole;
  const isHead = request.method === 'HEAD';
  const bytes = isHead ? undefined : blobs.read(media.blob_id, start, end);
  // Waits for the first bytes: if the store fails, an error response is still possible.
  if (bytes) await once(bytes, 'readable');
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-type': servedType(media),
    'content-length': end - start + 1,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${media.size_bytes}` } : {}),
  });
  if (!bytes) return void response.end();

  const finished = downloadUnderWay();
  try {
    await pipeline(bytes, response);
    bytesServed(end - start + 1);
  } finally {
    finished();
  }
}

/** Media never change, so they can be cached, but not longer than their URL is valid. */
function mediaHeaders(
  media: MediaDocument | ReadyDerivative | ArchiveDocument,
  version: Version,
  expires: string | null,
): OutgoingHttpHeaders {
  const leftSeconds = expires === null ? DAY_SECONDS : Math.max(0, Math.floor(Number(expires) - currentMs() / 1000));
  return {
    etag: version.etag,
    'last-modified': version.lastModified,
    'accept-ranges': 'bytes',
    'cache-control': `${expires === null ? 'public' : 'private'}, max-age=${Math.min(DAY_SECONDS, leftSeconds)}`,
    'content-disposition': disposition(media),
    // If a browser ever shows the bytes as a page, that page cannot run scripts or load anything.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}
