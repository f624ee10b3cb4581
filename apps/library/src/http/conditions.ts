import type { MediaRequestHeaders } from '@fanfare/rpc/bytes';

/** The validators of a file: its strong entity tag, and its Last-Modified date. */
export interface Version {
  readonly etag: string;
  readonly lastModified: string;
}

/** Evaluates the conditions of a GET or HEAD, in the order of RFC 9110, 13.2.2. Undefined: the file is served. */
export function unmetCondition(headers: MediaRequestHeaders, { etag, lastModified }: Version): 304 | 412 | undefined {
  const changedSince = (date: string | undefined) => Date.parse(lastModified) > httpDate(date);
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined ? !names(ifMatch, etag) : changedSince(headers['if-unmodified-since'])) return 412;
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return names(ifNoneMatch.replaceAll('W/"', '"'), etag) ? 304 : undefined;
  return Date.parse(lastModified) <= httpDate(headers['if-modified-since']) ? 304 : undefined;
}

/** Strong comparison: weak tags never match. For a weak comparison, callers remove `W/` first. */
function names(list: string, etag: string): boolean {
  const listed = list.split(',').map((one) => one.trim());
  return listed.includes('*') || listed.includes(etag);
}

/** NaN for text that is not an HTTP date: comparisons with it are false, so the condition is ignored. */
const httpDate = (text: string | undefined): number => (/^[A-Z][a-z]+, .+ GMT$/.test(text ?? '') ? Date.parse(text ?? '') : NaN);
