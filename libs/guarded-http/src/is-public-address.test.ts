import { isPublicAddress } from './is-public-address.ts';

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback, far end', '127.255.255.254'],
  ['this network', '0.0.0.0'],
  ['this network, other', '0.1.2.3'],
  ['private 10', '10.0.0.1'],
  ['private 172.16', '172.16.0.1'],
  ['private 172.31', '172.31.255.255'],
  ['private 192.168', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['Alibaba metadata', '100.100.100.200'],
  ['link-local', '169.254.1.1'],
  ['metadata', '169.254.169.254'],
  ['Oracle metadata', '192.0.0.192'],
  ['Azure WireServer', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['v6 loopback', '::1'],
  ['v6 unspecified', '::'],
  ['v4-mapped loopback', '::ffff:127.0.0.1'],
  ['v4-mapped private, hex', '::ffff:a00:1'],
  ['v4-mapped Azure WireServer', '::ffff:168.63.129.16'],
  ['v4-translated', '::ffff:0:127.0.0.1'],
  ['v4-compatible', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a public address', '64:ff9b::808:808'],
  ['NAT64, local use', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001::1'],
  ['v6 link-local', 'fe80::1'],
  ['v6 link-local with a zone', 'fe80::1%eth0'],
  ['v6 site-local', 'fec0::1'],
  ['unique-local', 'fd00::1'],
  ['AWS metadata over v6', 'fd00:ec2::254'],
  ['v6 multicast', 'ff02::1'],
  ['v6 documentation', '2001:db8::1'],
  ['v6 unassigned', '4000::1'],
  ['discard', '100::1'],
  ['a name', 'localhost'],
  ['nothing', ''],
])('%s (%s) is not public', (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
