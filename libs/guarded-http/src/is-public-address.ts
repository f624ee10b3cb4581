import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address, as text, belongs to the public internet: unicast in IANA's special-purpose registries (RFC 6890) and nothing that
 * tunnels or maps to another address. IPv4-mapped IPv6 is judged as the IPv4 address that it reaches. What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !CLOUD_METADATA_V4.includes(address.toString());
  return address.match(GLOBAL_UNICAST_V6) && !NOT_GLOBAL_V6.some((range) => address.match(range));
}

/** All that IANA has opened of IPv6; keeps out the deprecated IPv4-compatible ::a.b.c.d, which counts as unicast. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Within it: protocol assignments (Teredo, benchmarking, ORCHID), 6to4, documentation. */
const NOT_GLOBAL_V6 = ['2001::/23', '2002::/16', '2001:db8::/32', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Host agents that answer on an address that looks public: Azure's WireServer. */
const CLOUD_METADATA_V4 = ['168.63.129.16'];
