import { type Version } from '@fanfare/resources';

/**
 * The same revision has another representation in another version of the API, and so another ETag (RFC 9110, 8.8.3).
 * @param reading a number for what changes the response without changing the resource; `If-Match` ignores it
 */
export const etagOf = (revision: number, version: Version, reading = 0): string =>
  reading === 0 ? `"${revision}.${version}"` : `"${revision}-${reading}.${version}"`;

/** The ETag of the same revision in another version. */
export const retag = (etag: string, version: Version): string => etag.replace(/\.\d{4}-\d{2}-\d{2}"$/, `.${version}"`);

const LIST = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;
const TAG = /(W\/)?"([\x21\x23-\x7e]*)"/g;

/**
 * The revisions that an `If-Match` allows; empty without a condition. An unknown ETag becomes -1, which matches no revision.
 * A weak tag never matches (RFC 9110, 13.1.1).
 */
export function parseIfMatch(header: string | undefined): readonly number[] {
  if (header === undefined || header.trim() === '*') return [];
  if (!LIST.test(header)) return [-1];
  return [...header.matchAll(TAG)].map(([, weak, tag]) => {
    const revision = weak ? undefined : /^(\d{1,15})(?:-\d{1,15})?\.\d{4}-\d{2}-\d{2}$/.exec(tag ?? '')?.[1];
    return revision === undefined ? -1 : Number(revision);
  });
}

/** Whether the response to a read is 304 (RFC 9110, 13.1.2). */
export function isNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return LIST.test(header) && [...header.matchAll(TAG)].some(([, , tag]) => `"${tag}"` === etag);
}
