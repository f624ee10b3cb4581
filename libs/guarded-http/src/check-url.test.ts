import { checkPublicUrl, checkUrl } from './check-url.ts';

const reasonFor = (text: string, from?: string): string => {
  try {
    return checkUrl(text, new Set(), from === undefined ? undefined : new URL(from)).href;
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};

test.each([
  ['http://images.example.com/a.jpg', 'http://images.example.com/a.jpg'],
  ['https://images.example.com:8443/a.jpg', 'https://images.example.com:8443/a.jpg'],
  ['HTTPS://bücher.example/ä.jpg', 'https://xn--bcher-kva.example/%C3%A4.jpg'],
  [' http://images.example.com/a b.jpg\n', 'http://images.example.com/a%20b.jpg'],
  // Other spellings of 127.0.0.1: the connector gets the normalized address.
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://0177.1/', 'http://127.0.0.1/'],
  ['http://127.0.0.1./', 'http://127.0.0.1/'],
  ['http://127。0。0。1/', 'http://127.0.0.1/'],
])('%s → %s', (text, href) => {
  expect(reasonFor(text)).toBe(href);
});

test.each([
  ['', 'bad_url'],
  ['//images.example.com/a.jpg', 'bad_url'],
  ['http://[fe80::1%25eth0]/', 'bad_url'],
  ['http://256.1.1.1/', 'bad_url'],
  ['http://images example.com/', 'bad_url'],
  ['http://images.example.com\u0000.internal/', 'bad_url'],
  [`http://images.example.com/${'a'.repeat(8192)}`, 'bad_url'],
  ['javascript:alert(1)', 'bad_scheme'],
  ['blob:http://images.example.com/1', 'bad_scheme'],
  ['file:///etc/passwd', 'bad_scheme'],
  ['data:image/png;base64,AAAA', 'bad_scheme'],
  ['ftp://images.example.com/', 'bad_scheme'],
  ['http://images.example.com:secret@10.0.0.1/', 'credentials_in_url'],
  ['http://images.example.com:3306/', 'port_not_allowed'],
  ['http://images.example.com:443@10.0.0.1/', 'credentials_in_url'],
])('%s is rejected: %s', (text, reason) => {
  expect(reasonFor(text)).toBe(reason);
});

test('a redirect may lead from http to https, and not back', () => {
  expect(reasonFor('https://images.example.com/', 'http://images.example.com/')).toBe('https://images.example.com/');
  expect(reasonFor('http://images.example.com/', 'https://images.example.com/')).toBe('insecure_redirect');
  expect(reasonFor('/b', 'https://images.example.com/a')).toBe('https://images.example.com/b');
});

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://10.1.2.3/',
  'http://169.254.169.254/latest',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::a00:1]/',
  'http://localhost/',
  'http://api.localhost/',
  'http://mongodb/',
  'http://mongodb.internal./',
  'http://printer.local/',
])('%s is not public', (text) => {
  expect(() => checkPublicUrl(text, new Set())).toThrow(expect.objectContaining({ reason: 'address_not_public' }) as Error);
  expect(checkPublicUrl(text, new Set([new URL(text).origin])).href).toBe(new URL(text).href);
});

test.each(['https://example.com/hooks', 'https://93.184.216.34/', 'https://[2606:2800:220:1::]/'])('%s may be public', (text) => {
  expect(checkPublicUrl(text, new Set()).href).toBe(text);
});
