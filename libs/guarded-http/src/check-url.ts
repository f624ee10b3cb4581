import { FetchRefused } from './fetch-refused.ts';

/** Web servers and their usual alternates; nothing on which another protocol listens. */
const ALLOWED_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);

/**
 * Parses a URL and refuses what is never fetched, wherever it leads. Where it leads is checked when the connection is made.
 * The WHATWG parser has already turned 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1.
 * @param allowedOrigins exempt from the port rule
 * @throws FetchRefused bad_url, bad_scheme, credentials_in_url, port_not_allowed
 */
export function checkUrl(text: string, allowedOrigins: ReadonlySet<string>, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new FetchRefused('bad_url');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchRefused('bad_scheme');
  if (url.username !== '' || url.password !== '') throw new FetchRefused('credentials_in_url');
  if (!ALLOWED_PORTS.has(url.port) && !allowedOrigins.has(url.origin)) throw new FetchRefused('port_not_allowed');
  return url;
}
