// URLs from callers that must be rejected with a clear error, by both kinds of imports: for posts, and those that may continue in the background.
import type { ServerResponse } from 'node:http';
import { createGuardedClient } from '@fanfare/guarded-http';
import { newId } from '@fanfare/runtime';
import { recordLog } from '@fanfare/testing';
import { aCall, aJpeg, aWebServer, NOTHING_STORED, PUBLIC_BASE_URL, startLibrary, type TestLibrary } from '../start-library.ts';

type WebServer = Awaited<ReturnType<typeof aWebServer>>;

/** DNS names of the tests. Each lookup gets the next response; the last one repeats. */
let names: Record<string, string[][]>;
let serve: (response: ServerResponse, path: string) => void;
let web: WebServer;
let inside: WebServer;
let library: TestLibrary;

beforeAll(async () => {
  web = await aWebServer((request, response) => serve(response, request.url ?? ''));
  inside = await aWebServer((_request, response) => response.end('secret'));
  const client = createGuardedClient({
    allowedOrigins: [web.origin],
    rateWindowMs: 200,
    lookup(host, _options, callback) {
      const responses = names[host] ?? [];
      const addresses = (responses.length > 1 ? responses.shift() : responses[0]) ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  });
  library = await startLibrary({ web: client });
});
afterAll(async () => {
  await library.stop();
  await web.stop();
  await inside.stop();
});
beforeEach(() => {
  names = {};
});

/** Expects that both kinds of imports are rejected for the same reason, leave nothing behind, and do not affect the next import. */
async function expectRejection(url: string, detail: RegExp): Promise<void> {
  for (const mayContinue of [false, true]) {
    const mediaId = newId();
    const request = { operationId: newId(), mediaId, url, param: 'media_urls.1', mayContinue, altText: '' };
    const rejected = { code: 'invalid_value', param: 'media_urls.1', message: expect.stringMatching(detail) as unknown };
    await expect(library.client.importMedia(request, { call: aCall(), timeoutMs: 20_000 })).rejects.toMatchObject(rejected);
    await expect(library.client.getMedia({ mediaId }, { call: aCall() })).rejects.toMatchObject({ code: 'resource_not_found' });
  }
  expect(await library.stored()).toEqual(NOTHING_STORED);
  expect(await library.context.db.collection('intakes').countDocuments()).toBe(0);
  expect(inside.hits()).toBe(0);
}

test.each([
  ['loopback', 'http://127.0.0.1/x.jpg', /public address/],
  ['loopback, far end', 'http://127.255.255.254/x.jpg', /public address/],
  ['localhost', 'http://localhost/x.jpg', /public address/],
  ['private', 'http://10.0.0.1/x.jpg', /public address/],
  ['private', 'https://192.168.1.1:8443/x.jpg', /public address/],
  ['carrier-grade NAT', 'http://100.64.0.1/', /public address/],
  ['link-local', 'http://169.254.1.1/', /public address/],
  ['the metadata service', 'http://169.254.169.254/latest/meta-data/', /public address/],
  ['the metadata service over IPv6', 'http://[fd00:ec2::254]/latest/meta-data/', /public address/],
  ['IPv6 loopback', 'http://[::1]/x.jpg', /public address/],
  ['IPv6 unspecified', 'http://[::]/', /public address/],
  ['IPv6 link-local', 'http://[fe80::1]/', /public address/],
  ['IPv6 unique-local', 'http://[fc00::1]/', /public address/],
  ['IPv4-mapped', 'http://[::ffff:127.0.0.1]/', /public address/],
  ['IPv4-mapped, hex', 'http://[::ffff:7f00:1]/', /public address/],
  ['IPv4-compatible', 'http://[::127.0.0.1]/', /public address/],
  ['NAT64', 'http://[64:ff9b::7f00:1]/', /public address/],
  ['6to4', 'http://[2002:7f00:1::]/', /public address/],
  ['Teredo', 'http://[2001:0:7f00:1::]/', /public address/],
  ['decimal', 'http://2130706433/', /public address/],
  ['hex', 'http://0x7f000001/', /public address/],
  ['hex, dotted', 'http://0x7f.0x0.0x0.0x1/', /public address/],
  ['octal', 'http://0177.0.0.1/', /public address/],
  ['short', 'http://127.1/', /public address/],
  ['full-width', 'http://１２７.0.0.1/', /public address/],
  ['with a dot at the end', 'http://127.0.0.1./', /public address/],
  ['0.0.0.0', 'http://0.0.0.0/', /public address/],
  ['0', 'http://0/', /public address/],
  ['broadcast', 'http://255.255.255.255/', /public address/],
  ['multicast', 'http://224.0.0.1/', /public address/],
  ['reserved', 'http://240.0.0.1/', /public address/],
  ['documentation', 'http://203.0.113.7/', /public address/],
  ['an unknown name', 'http://nowhere.example.com/', /public address/],
  ['a file', 'file:///etc/passwd', /must be http or https/],
  ['FTP', 'ftp://example.com/x.jpg', /must be http or https/],
  ['data', 'data:image/png;base64,iVBORw0KGgo=', /must be http or https/],
  ['script', 'javascript:alert(1)', /must be http or https/],
  ['a path', '/etc/passwd', /not valid/],
  ['an empty text', '', /not valid/],
  ['a user', 'http://user@example.com/x.jpg', /user name or password/],
  ['a password', 'http://user:pw@example.com/x.jpg', /user name or password/],
  ['a host that is a user', 'http://example.com:80@127.0.0.1/', /user name or password/],
  ['the SMTP port', 'http://example.com:25/x.jpg', /The port of the URL/],
  ['the MongoDB port', 'http://example.com:27017/x.jpg', /The port of the URL/],
  ['a media URL with a forged signature', `${PUBLIC_BASE_URL}/media/forged/k1.forged`, /no media with this URL/],
])('%s: %s', async (_what, url, detail) => {
  await expectRejection(url, detail);
});

test('only the log shows the difference between a private address, an unknown name and a closed port', async () => {
  names['inside.example.com'] = [['10.0.0.1']];
  const { stop, origin } = await aWebServer(() => undefined);
  await stop();
  const { lines, log } = recordLog();
  const web = createGuardedClient({
    allowedOrigins: [origin],
    lookup: (host, _options, callback) =>
      callback(
        null,
        (names[host]?.[0] ?? []).map((address) => ({ address, family: 4 })),
      ),
  });
  const other = await startLibrary({ web, log });
  const urls = ['http://inside.example.com/x', 'http://10.0.0.1/x', 'http://nowhere.example.com/x', `${origin}/x`];
  const rejected = await Promise.all(
    urls.map((url) => {
      const request = { operationId: newId(), mediaId: newId(), url, param: 'url', mayContinue: true, altText: '' };
      return other.client.importMedia(request, { call: aCall() }).catch((error: unknown) => error);
    }),
  );
  await other.stop();
  expect(
    new Set(rejected.map((error) => JSON.stringify({ ...(error as object), message: (error as Error).message, cause: undefined }))).size,
  ).toBe(1);
  const reasons = lines.flatMap((line) => (line['msg'] === 'a URL was not fetched' ? [line['reason']] : []));
  expect(reasons.sort()).toEqual(['address_not_public', 'address_not_public', 'host_not_found', 'unreachable']);
});

describe('a name that resolves to', () => {
  test.each([
    ['a private address', [['10.0.0.1']]],
    ['a public and a private address', [['93.184.216.34', '127.0.0.1']]],
    ['a private address over IPv6', [['93.184.216.34', '::1']]],
  ])('%s', async (_what, responses) => {
    names['images.example.com'] = responses;
    await expectRejection('http://images.example.com/x.jpg', /public address/);
  });

  test('a public address first, and to a private one after a redirect to itself', async () => {
    // The first request reaches a server of this test. The lookup for the second one returns another address.
    names['rebinding.example.com'] = [['127.0.0.1']];
    serve = (response) => response.writeHead(302, { location: 'http://rebinding.example.com/x.jpg' }).end();
    await expectRejection(`${web.origin}/x.jpg`, /public address/);
  });
});

describe('a server that', () => {
  const redirecting = (location: () => string) => (response: ServerResponse) =>
    void response.writeHead(302, { location: location() }).end();
  const dripping = (response: ServerResponse) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  };
  const endless = (response: ServerResponse) => {
    response.setHeader('content-encoding', 'x-unknown');
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', more);
    more();
  };
  test.each([
    ['redirects to a private address', redirecting(() => inside.origin), /The port of the URL|public address/],
    ['redirects to the metadata service', redirecting(() => 'http://169.254.169.254/'), /public address/],
    ['redirects to a file', redirecting(() => 'file:///etc/passwd'), /must be http or https/],
    ['redirects forever', redirecting(() => '/again'), /too many times/],
    ['drips', dripping, /too slow/],
    ['sends an endless body with an unknown encoding', endless, /content encoding/],
    ['declares a larger size than it sends', (response: ServerResponse) => shorter(response), /complete|broke/],
    ['declares a smaller size than it sends', (response: ServerResponse) => longer(response), /truncated/],
    [
      'declares a wrong type',
      (response: ServerResponse) => void response.setHeader('content-type', 'image/jpeg').end('<html>'),
      /not a JPEG/,
    ],
    ['has deleted the file', (response: ServerResponse) => void response.writeHead(410).end(), /status 410/],
  ])('%s', async (_what, how, detail) => {
    serve = how;
    await expectRejection(`${web.origin}/x.jpg`, detail);
  });

  function shorter(response: ServerResponse): void {
    response.writeHead(200, { 'content-length': '5000' }).write('x');
    setTimeout(() => response.destroy(), 20);
  }

  function longer(response: ServerResponse): void {
    void aJpeg().then((jpeg) => {
      response.socket?.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n'), jpeg]));
    });
  }
});
