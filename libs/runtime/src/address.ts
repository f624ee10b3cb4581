/** Splits host:port; IPv6 hosts are in brackets. */
export function parseAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

/** The host of a URL, or of host:port. */
export const hostOf = (address: string): string =>
  /^https?:\/\//.test(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : parseAddress(address).host;

/** Whether it is reachable only from this machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
