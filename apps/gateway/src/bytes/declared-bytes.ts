import type { IncomingHttpHeaders } from 'node:http';

/**
 * What the library is told of how many bytes come, so that it can refuse them before they do; empty when the caller did not say.
 * @param otherBytes that the body may have beside those that the library is sent
 */
export function declaredBytesHeader({ 'content-length': length }: IncomingHttpHeaders, otherBytes = 0): Record<string, string> {
  return length === undefined ? {} : { 'x-declared-bytes': String(Math.max(Number(length) - otherBytes, 0)) };
}
