import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchRefused } from './fetch-refused.ts';

/** Passes bytes on and breaks with `too_large` at the first one over `maxBytes`. */
export function atMost(maxBytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(new FetchRefused('too_large'));
      else done(null, chunk);
    },
  });
}

/**
 * The streams that undo a Content-Encoding, with the size limit applied again to what comes out: a compressed bomb ends there.
 * @throws FetchRefused bad_encoding when the encoding is unknown or stacked
 */
export function decoderFor(contentEncoding: string | undefined, maxBytes: number): Transform[] {
  switch (contentEncoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return [];
    case 'gzip':
    case 'x-gzip':
      return [createGunzip(), atMost(maxBytes)];
    case 'deflate':
      return [createInflate(), atMost(maxBytes)];
    case 'br':
      return [createBrotliDecompress(), atMost(maxBytes)];
    default:
      throw new FetchRefused('bad_encoding');
  }
}
