import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchRefused } from './fetch-refused.ts';
import { isPublicAddress } from './is-public-address.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to public addresses only. The lookup that the socket itself asks is the one that checks, so the address that was checked is the
 * address that is connected to: a response that changes between two lookups (DNS rebinding) gains nothing. What the socket is connected to in
 * the end is looked at once more.
 */
export function guardedConnector(options: {
  allowedOrigins: ReadonlySet<string>;
  lookup?: LookupFunction | undefined;
  isAllowed?: ((address: string) => boolean) | undefined;
}): buildConnector.connector {
  const { allowedOrigins, lookup = systemLookup, isAllowed = isPublicAddress } = options;
  // Said, because the environment could say otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
  const common = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, rejectUnauthorized: true } as const;
  const open = buildConnector({ ...common, lookup });
  const guarded = buildConnector({ ...common, lookup: checkingLookup(lookup, isAllowed) });

  return (target, callback) => {
    const host = unbracket(target.hostname);
    const { origin } = new URL(`${target.protocol}//${host.includes(':') ? `[${host}]` : host}:${target.port}`);
    if (allowedOrigins.has(origin)) return open(target, callback);

    // A literal address is never looked up.
    if (isIP(host) && !isAllowed(host)) return callback(new FetchRefused('address_not_public'), null);
    guarded(target, (...result) => {
      const [, socket] = result;
      if (!(socket instanceof Socket) || isAllowed(socket.remoteAddress ?? '')) return callback(...result);
      socket.destroy();
      callback(new FetchRefused('address_not_public'), null);
    });
  };
}

/** Refuses a name as soon as one of its addresses is not public: a name that mixes them is up to something. */
function checkingLookup(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(new FetchRefused('host_not_found', error), []);
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first) return callback(new FetchRefused('host_not_found'), []);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new FetchRefused('address_not_public'), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

const unbracket = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
