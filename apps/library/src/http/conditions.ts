import type { MediaRequestHeaders } from '@fanfare/rpc/bytes';

/** What a URL serves: its strong entity tag, and when that came to be, as Last-Modified says it. */
export interface Version {
  readonly etag: string;
  readonly lastModified: string;
}

/** What the conditions of a GET or HEAD make of it, in the order of RFC 9110, 13.2.2; undefined means that it is served. */
export function unmetCondition(headers: MediaRequestHeaders, { etag, lastModified }: Version): 304 | 412 | undefined {
  const changedSince = (date: string | undefined) => Date.parse(lastModified) > httpDate(date);
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined ? !names(ifMatch, etag) : changedSince(headers['if-unmodified-since'])) return 412;
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return names(ifNoneMatch.replaceAll('W/"', '"'), etag) ? 304 : undefined;
  return Date.parse(lastModified) <= httpDate(headers['if-modified-since']) ? 304 : undefined;
}

/** A weak tag never matches here: who may compare weakly takes the mark away before. */
function names(list: string, etag: string): boolean {
  const listed = list.split(',').map((one) => one.trim());
  return listed.includes('*') || listed.includes(etag);
}

/** NaN, which compares as neither before nor after, for what is no date as HTTP writes it: such a condition is ignored. */
const httpDate = (text: string | undefined): number => (/^[A-Z][a-z]+, .+ GMT$/.test(text ?? '') ? Date.parse(text ?? '') : NaN);
