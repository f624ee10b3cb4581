import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { notFound } from '@fanfare/errors';
import type { Context } from '../context.ts';
import { disposition, servedType } from '../domain/disposition.ts';
import { bytesServed, downloadUnderWay } from '../metrics.ts';
import { findSignedDerivative, type ReadyDerivative } from '../store/derivatives.ts';
import { findSignedMedia, type MediaDocument } from '../store/media.ts';
import { byteRange } from './byte-range.ts';

const DAY_SECONDS = 24 * 3600;

/**
 * Serves media to whoever holds a URL that we signed. A wrong signature, an expired one and media that is gone all look alike: 404.
 * Never redirects: platforms that pull from here do not follow.
 */
export async function getMedia(
  context: Context,
  { id, signature, url }: { id: string; signature: string; url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { blobs, db, urls } = context;
  const expires = url.searchParams.get('expires');
  if (!urls.verify(id, signature, expires, new Date())) throw notFound('media');
  const media = (await findSignedMedia(db, id)) ?? (await findSignedDerivative(db, id));
  if (!media) throw notFound('media');

  const etag = `"${media.sha256}"`;
  const headers = mediaHeaders(media, etag, expires);
  if (matches(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();

  const whole = { start: 0, end: media.size_bytes - 1 };
  const range = byteRange(request.headers, media.size_bytes, etag);
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${media.size_bytes}`, 'content-length': 0 }).end();
  }
  const { start, end } = range ?? whole;
  const isHead = request.method === 'HEAD';
  const bytes = isHead ? undefined : blobs.read(media.blob_id, start, end);
  // A store that does not answer is a failure that can still be told.
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

/** The bytes of a media never change; an expiring URL is cached no longer than it holds. */
function mediaHeaders(media: MediaDocument | ReadyDerivative, etag: string, expires: string | null): OutgoingHttpHeaders {
  const leftSeconds = expires === null ? DAY_SECONDS : Math.max(0, Math.floor(Number(expires) - Date.now() / 1000));
  return {
    etag,
    'last-modified': media.created_at.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': `${expires === null ? 'public' : 'private'}, max-age=${Math.min(DAY_SECONDS, leftSeconds)}`,
    'content-disposition': disposition(media),
    // Should bytes ever be taken for a page, it is one that may do nothing.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const listed = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return listed.includes('*') || listed.includes(etag);
}
