import ipaddr from 'ipaddr.js';

/**
 * The subject that requests without a known credential are counted for: the IPv4 address, or the /64 of an IPv6 address, which is what one subscriber gets
 * (RFC 6177). An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function addressSubject(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'address:unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return `address:${address.toString()}`;
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `address:${network.join(':')}::/64`;
}
