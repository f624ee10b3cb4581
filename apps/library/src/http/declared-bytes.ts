import type { IncomingHttpHeaders } from 'node:http';

/**
 * How many bytes a body has, or has at least, as its sender said. The gateway leaves the end of a body open until it knows that all was right, and
 * says so in `x-declared-bytes`. Undefined when nobody said.
 */
export function declaredBytesOf(headers: IncomingHttpHeaders): number | undefined {
  const bytes = Number(headers['content-length'] ?? headers['x-declared-bytes'] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
