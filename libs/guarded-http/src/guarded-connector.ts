import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchError } from './fetch-error.ts';
import { isPublicAddress } from './is-public-address.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to public addresses only. The check is part of the socket's own name lookup, so the socket connects to the address that was checked,
 * even if a second lookup would return another one (DNS rebinding). The remote address is checked once more after the socket has connected.
 */
export function guardedConnector(options: {
  allowedOrigins: ReadonlySet<string>;
  lookup?: LookupFunction | undefined;
  isAllowed?: ((address: string) => boolean) | undefined;
}): buildConnector.connector {
  const { allowedOrigins, lookup = systemLookup, isAllowed = isPublicAddress } = options;
  // Explicit, because the environment could disable it (NODE_TLS_REJECT_UNAUTHORIZED).
  const common = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, rejectUnauthorized: true } as const;
  const open = buildConnector({ ...common, lookup });
  const guarded = buildConnector({ ...common, lookup: checkingLookup(lookup, isAllowed) });

  return (target, callback) => {
    const host = unbracket(target.hostname);
    const { origin } = new URL(`${target.protocol}//${host.includes(':') ? `[${host}]` : host}:${target.port}`);
    if (allowedOrigins.has(origin)) return open(target, callback);

    // A literal address does not reach the lookup.
    if (isIP(host) && !isAllowed(host)) return callback(new FetchError('address_not_public'), null);
    guarded(target, (...result) => {
      const [, socket] = result;
      if (!(socket instanceof Socket) || isAllowed(socket.remoteAddress ?? '')) return callback(...result);
      socket.destroy();
      callback(new FetchError('address_not_public'), null);
    });
  };
}

/** Rejects a name if any of its addresses is not public. */
function checkingLookup(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(new FetchError('host_not_found', error), []);
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first) return callback(new FetchError('host_not_found'), []);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new FetchError('address_not_public'), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

const unbracket = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
