import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet: it is unicast by IANA's special-purpose registries (RFC 6890), and does not tunnel or map to
 * another address. An IPv4-mapped IPv6 address counts as the IPv4 address that it maps to. Text that is not an address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !CLOUD_METADATA_V4.includes(address.toString());
  return address.match(GLOBAL_UNICAST_V6) && !NOT_GLOBAL_V6.some((range) => address.match(range));
}

/** All IPv6 addresses that IANA has allocated. Excludes the deprecated IPv4-compatible ::a.b.c.d, which the library reports as unicast. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Not public although in this range: protocol assignments (Teredo, benchmarking, ORCHID), 6to4, documentation. */
const NOT_GLOBAL_V6 = ['2001::/23', '2002::/16', '2001:db8::/32', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Metadata services of clouds at addresses outside of the special ranges: Azure's WireServer. */
const CLOUD_METADATA_V4 = ['168.63.129.16'];
