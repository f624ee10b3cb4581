import { badUpload } from './errors.ts';

/** `bytes a-b/N` (both included), or `bytes * /N` without the space, which requests the upload's progress. */
export function readRange(header: string | undefined, size: number): 'probe' | { start: number; end: number } {
  const [, start, end, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(header ?? '') ?? [];
  if (total === undefined) throw badUpload('Failed to parse Content-Range header.');
  if (Number(total) !== size) throw badUpload(`Invalid request. The total size is ${size} byte(s), not ${total}.`);
  if (start === undefined) return 'probe';
  const range = { start: Number(start), end: Number(end) };
  if (range.end < range.start || range.end >= size) throw badUpload('Failed to parse Content-Range header.');
  return range;
}
