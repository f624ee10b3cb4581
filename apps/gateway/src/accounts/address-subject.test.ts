import { addressSubject } from './address-subject.ts';

test.each([
  ['203.0.113.7', 'address:203.0.113.7'],
  ['::ffff:203.0.113.7', 'address:203.0.113.7'],
  ['::ffff:cb00:7107', 'address:203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', 'address:2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
  ['::1', 'address:0:0:0:0::/64'],
  ['nonsense', 'address:unknown'],
  [undefined, 'address:unknown'],
])('%s counts as %s', (ip, subject) => {
  expect(addressSubject(ip)).toBe(subject);
});
