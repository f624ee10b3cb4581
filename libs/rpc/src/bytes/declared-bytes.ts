import type { IncomingHttpHeaders } from 'node:http';

const HEADER = 'x-declared-bytes';

/**
 * What the library is told of how many bytes come, so that it can refuse them before they do; empty when the caller did not say. The gateway leaves
 * the end of a body open until it knows that all was right, and so cannot send its length as such.
 * @param otherBytes that the body may have beside those that the library is sent
 */
export function declaredBytesHeader({ 'content-length': length }: IncomingHttpHeaders, otherBytes = 0): Record<string, string> {
  return length === undefined ? {} : { [HEADER]: String(Math.max(Number(length) - otherBytes, 0)) };
}

/** How many bytes a body has, or has at least, as its sender said. Undefined when nobody said. */
export function declaredBytesOf(headers: IncomingHttpHeaders): number | undefined {
  const bytes = Number(headers['content-length'] ?? headers[HEADER] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
