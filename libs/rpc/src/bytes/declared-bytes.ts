import type { IncomingHttpHeaders } from 'node:http';

const HEADER = 'x-declared-bytes';

/**
 * The header by which the gateway declares the size of an upload to the library, so that the library can reject it early. Empty if the caller did not
 * declare a size. The gateway cannot send a Content-Length, because it ends the body only after it has checked the whole request.
 * @param otherBytes an upper bound of the bytes of the caller's body that are not sent to the library
 */
export function declaredBytesHeader({ 'content-length': length }: IncomingHttpHeaders, otherBytes = 0): Record<string, string> {
  return length === undefined ? {} : { [HEADER]: String(Math.max(Number(length) - otherBytes, 0)) };
}

/** The declared size of a body, or a lower bound of it. Undefined if none is declared. */
export function declaredBytesOf(headers: IncomingHttpHeaders): number | undefined {
  const bytes = Number(headers['content-length'] ?? headers[HEADER] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
