import ipaddr from 'ipaddr.js';

/** The largest private networks are 10.0.0.0/8 and fc00::/7. */
const LEAST_BITS = { ipv4: 8, ipv6: 7 };
const MAPPED_BITS = 96;

/** Whether an entry of TRUSTED_PROXIES names a network so large that it includes strangers. Names and single addresses never do. */
export function trustsEveryAddress(proxy: string): boolean {
  const [network = '', mask] = proxy.split('/');
  if (mask === undefined || !ipaddr.isValid(network)) return false;
  const address = ipaddr.parse(network);
  const bits = ipaddr.isValid(mask) && mask.includes('.') ? (ipaddr.parse(mask).prefixLengthFromSubnetMask() ?? 0) : Number(mask);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? bits - MAPPED_BITS < LEAST_BITS.ipv4 : bits < LEAST_BITS[address.kind()];
}
