import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchRefused } from './fetch-refused.ts';
import { isPublicAddress } from './is-public-address.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to public addresses only. The lookup that the socket itself asks is the one that checks, so the address that was checked is the
 * address that is connected to: an answer that changes between two lookups (DNS rebinding) gains nothing.
 */
export function guardedConnector(options: {
  allowedOrigins: ReadonlySet<string>;
  lookup?: LookupFunction | undefined;
  isAllowed?: ((address: string) => boolean) | undefined;
}): buildConnector.connector {
  const { allowedOrigins, lookup = systemLookup, isAllowed = isPublicAddress } = options;
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup });
  const guarded = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup: checkingLookup(lookup, isAllowed) });

  return (target, callback) => {
    const origin = new URL(
      `${target.protocol}//${target.hostname.includes(':') ? `[${unbracket(target.hostname)}]` : target.hostname}:${target.port}`,
    ).origin;
    if (allowedOrigins.has(origin)) return open(target, callback);

    // A literal address is never looked up.
    const literal = unbracket(target.hostname);
    if (isIP(literal) && !isAllowed(literal)) return callback(new FetchRefused('address_not_public'), null);
    return guarded(target, callback);
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
