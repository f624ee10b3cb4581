import { isReturnUrl } from './return-url.ts';

const known = {
  consoleUrl: 'https://app.example.com',
  connectReturnUrls: ['https://shop.example.net/connected', 'https://root.example.org'],
};

test.each([
  'https://app.example.com/businesses/1/integrations',
  'https://app.example.com:443/?tab=accounts',
  'https://shop.example.net/connected',
  'https://shop.example.net/connected?user=7',
  'https://root.example.org/',
])('browsers may be sent to %s', (url) => expect(isReturnUrl(known, url)).toBe(true));

test.each([
  'http://app.example.com/',
  'https://app.example.com:8443/',
  'https://app.example.com.evil.example/',
  'https://app.example.com@evil.example/',
  'https://user@app.example.com/',
  'https://app.example.com/#token',
  'https://evil.example/?https://app.example.com/',
  'https://shop.example.net/connected/elsewhere',
  'https://shop.example.net/Connected',
  'https://shop.example.net/',
  'javascript:alert(1)//https://app.example.com',
  '//app.example.com/',
  '/connected',
  '',
])('browsers are not sent to %s', (url) => expect(isReturnUrl(known, url)).toBe(false));
