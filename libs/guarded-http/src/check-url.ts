import ipaddr from 'ipaddr.js';
import { FetchError } from './fetch-error.ts';
import { isPublicAddress } from './is-public-address.ts';

/** Ports of web servers. No other protocol listens on them. */
const ALLOWED_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);
const MAX_LENGTH = 8192;

/**
 * Parses a URL and checks its scheme, credentials and port. The connector checks the address when it connects.
 * The WHATWG parser has already turned 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1, and names into punycode.
 * @param allowedOrigins exempt from the port rule
 * @param from the URL that redirected to this one
 * @throws FetchError bad_url, bad_scheme, credentials_in_url, port_not_allowed, insecure_redirect
 */
export function checkUrl(text: string, allowedOrigins: ReadonlySet<string>, from?: URL): URL {
  const url = text.length <= MAX_LENGTH ? URL.parse(text, from?.href) : null;
  if (!url || url.hostname === '') throw new FetchError(url && !isWeb(url) ? 'bad_scheme' : 'bad_url');
  if (!isWeb(url)) throw new FetchError('bad_scheme');
  if (url.username !== '' || url.password !== '') throw new FetchError('credentials_in_url');
  if (!ALLOWED_PORTS.has(url.port) && !allowedOrigins.has(url.origin)) throw new FetchError('port_not_allowed');
  if (from?.protocol === 'https:' && url.protocol === 'http:') throw new FetchError('insecure_redirect');
  return url;
}

/**
 * The same, and rejects a host that is an address that is not public, or a name that only exists in local networks. For a URL that is stored: other names
 * are checked when the client connects.
 * @throws FetchError those of `checkUrl`, address_not_public
 */
export function checkPublicUrl(text: string, allowedOrigins: ReadonlySet<string>): URL {
  const url = checkUrl(text, allowedOrigins);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocal = ipaddr.isValid(host) ? !isPublicAddress(host) : !host.includes('.') || LOCAL_NAMES.test(host);
  if (isLocal && !allowedOrigins.has(url.origin)) throw new FetchError('address_not_public');
  return url;
}

/** Names that no public name server knows (RFC 6761, RFC 6762, RFC 8375; .internal is reserved by ICANN). */
const LOCAL_NAMES = /\.(localhost|local|internal|home\.arpa|test|invalid|onion)$/;

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:';
