import { FetchRefused } from './fetch-refused.ts';

/** Web servers and their usual alternates; nothing on which another protocol listens. */
const ALLOWED_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);
const MAX_LENGTH = 8192;

/**
 * Parses a URL and refuses what is never fetched, wherever it leads. Where it leads is checked when the connection is made.
 * The WHATWG parser has already turned 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1, and names into punycode.
 * @param allowedOrigins exempt from the port rule
 * @param from where a redirect comes from
 * @throws FetchRefused bad_url, bad_scheme, credentials_in_url, port_not_allowed, insecure_redirect
 */
export function checkUrl(text: string, allowedOrigins: ReadonlySet<string>, from?: URL): URL {
  const url = text.length <= MAX_LENGTH ? URL.parse(text, from?.href) : null;
  if (!url || url.hostname === '') throw new FetchRefused(url && !isWeb(url) ? 'bad_scheme' : 'bad_url');
  if (!isWeb(url)) throw new FetchRefused('bad_scheme');
  if (url.username !== '' || url.password !== '') throw new FetchRefused('credentials_in_url');
  if (!ALLOWED_PORTS.has(url.port) && !allowedOrigins.has(url.origin)) throw new FetchRefused('port_not_allowed');
  if (from?.protocol === 'https:' && url.protocol === 'http:') throw new FetchRefused('insecure_redirect');
  return url;
}

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:';
