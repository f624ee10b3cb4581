import type { MediaRequestHeaders } from '@fanfare/rpc/bytes';
import type { Version } from './conditions.ts';

/** Bytes `start` to `end`, inclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The requested range (RFC 9110, 14): one range, `unsatisfiable`, or undefined for the whole file. Several ranges, other units, malformed ranges and an
 * If-Range for another version get the whole file, as the RFC permits. A date in If-Range counts as a strong validator, because media never change.
 */
export function byteRange(
  headers: MediaRequestHeaders,
  sizeBytes: number,
  { etag, lastModified }: Version,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag && ifRange !== lastModified) return undefined;
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;

  // "-500" means the last 500 bytes, or all if there are fewer.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(sizeBytes - 1, Number(last));
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
