import http, { type OutgoingHttpHeaders } from 'node:http';
import { notFound } from '@fanfare/errors';

/** The status and the headers of a response. */
export interface Head {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws if a path or a value could change the rest of the request */
export function requestHead(method: string, path: string, headers: OutgoingHttpHeaders): string {
  if (!/^[\x21-\x7e]+$/.test(path)) throw notFound('media');
  const lines = Object.entries(headers).map(([name, value]) => {
    http.validateHeaderValue(name, String(value));
    return `${name}: ${String(value)}\r\n`;
  });
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** @returns undefined if it is not an HTTP/1.1 response */
export function parseHead(text: string): Head | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  if (!(status >= 200) || lines.some((line) => !line.includes(':'))) return undefined;
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const);
  return { status, headers: Object.fromEntries(headers) };
}
