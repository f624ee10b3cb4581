import { trustsEveryAddress } from './trusts-every-address.ts';

test.each(['0.0.0.0/0', '0.0.0.0/0.0.0.0', '1.2.3.4/1', '128.0.0.0/1', '::/0', '::ffff:0.0.0.0/96', '2000::/3'])(
  '%s is everybody',
  (proxy) => {
    expect(trustsEveryAddress(proxy)).toBe(true);
  },
);

test.each([
  '10.0.0.0/8',
  '10.0.0.0/255.0.0.0',
  '192.168.1.0/24',
  'fc00::/7',
  '::ffff:10.0.0.0/104',
  '10.1.2.3',
  '::1',
  'loopback',
  'uniquelocal',
])('%s is not', (proxy) => {
  expect(trustsEveryAddress(proxy)).toBe(false);
});
