import type { MediaRequestHeaders } from '@fanfare/rpc/bytes';
import type { Version } from './conditions.ts';

/** Bytes from `start` to `end`, both included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a request asks for (RFC 9110, 14): one range, or `unsatisfiable`; undefined means the whole. Several ranges, other units, malformed ones
 * and an If-Range for another version get the whole, as the RFC allows. Its date counts as exact: no media ever changes.
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

  // "-500" is the last 500 bytes, or all when there are fewer.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(sizeBytes - 1, Number(last));
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
