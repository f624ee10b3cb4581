import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedClient, type GuardedClient } from '@fanfare/guarded-http';
import { readSource } from './read-source.ts';

const nothing = { content: null, websiteUrl: null, customIdea: null };
const never = new AbortController().signal;
let server: Server;
let origin: string;
let web: GuardedClient;
let pages: Record<string, RequestListener>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  web = createGuardedClient({ allowedOrigins: [origin] });
});
afterAll(async () => {
  await web.close();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  pages = {};
});

const read = (path: string) => readSource({ ...nothing, websiteUrl: `${origin}${path}` }, web, never);
const html =
  (body: string, head = '', type = 'text/html; charset=utf-8'): RequestListener =>
  (_request, response) =>
    response.setHeader('content-type', type).end(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`);
const ARTICLE = Array.from(
  { length: 6 },
  (_, index) =>
    `<p>Our bakery in Lisbon bakes sourdough bread with flour from a mill nearby, batch number ${index}, every single morning.</p>`,
).join('');

describe('a website', () => {
  test('is read without its menus, with title, language and address', async () => {
    pages['/'] = html(
      `<nav><a href="/a">Menu entry</a></nav><article><h1>Bread</h1>${ARTICLE}</article><script>alert(1)</script><footer>Imprint</footer>`,
      '<title>Padaria Aurora</title>',
    );
    const source = await read('/');
    expect(source).toMatchObject({ kind: 'website', title: 'Padaria Aurora', language: 'en', url: `${origin}/` });
    expect(source.text).toContain('sourdough bread');
    expect(source.text).not.toMatch(/Menu entry|alert|Imprint/);
  });

  test('in Shift-JIS is decoded by its header or its own declaration', async () => {
    // "パンは毎朝焼きたて。" in Shift-JIS.
    const sentence = Buffer.from([
      ...[0x83, 0x70, 0x83, 0x93, 0x82, 0xcd, 0x96, 0x88, 0x92, 0xa9, 0x8f, 0xc4, 0x82, 0xab, 0x82, 0xbd, 0x82, 0xc4, 0x81, 0x42],
    ]);
    const body = Buffer.concat([
      Buffer.from('<html><head><meta charset="shift_jis"></head><body><p>'),
      ...Array.from({ length: 30 }, () => sentence),
      Buffer.from('</p></body></html>'),
    ]);
    pages['/meta'] = (_request, response) => response.setHeader('content-type', 'text/html').end(body);
    pages['/header'] = (_request, response) => response.setHeader('content-type', 'text/html; charset=Shift_JIS').end(body);
    for (const path of ['/meta', '/header'])
      expect(await read(path)).toMatchObject({ language: 'ja', text: expect.stringContaining('パンは毎朝焼きたて。') });
  });

  test('that robots.txt disallows is not read', async () => {
    let isRead = false;
    pages['/robots.txt'] = (_request, response) => response.end('User-agent: FanfareBot\nDisallow: /private');
    pages['/private'] = (_request, response) => {
      isRead = true;
      response.end();
    };
    await expect(read('/private')).rejects.toMatchObject({ name: 'SourceRejected', message: expect.stringContaining('robots.txt') });
    expect(isRead).toBe(false);
  });

  test.each<[string, RequestListener, object]>([
    [
      '404',
      (_request, response) => response.writeHead(404).end(),
      { name: 'SourceRejected', message: 'The page responded with status 404.' },
    ],
    ['a server that fails', (_request, response) => response.writeHead(503).end(), { name: 'SourceUnavailable' }],
    [
      'an image',
      (_request, response) => response.setHeader('content-type', 'image/png').end('\x89PNG'),
      { name: 'SourceRejected', message: 'The URL is not a web page: its content type is image/png.' },
    ],
    [
      'binary data',
      (_request, response) => response.setHeader('content-type', 'text/html').end(Buffer.alloc(2_000)),
      { name: 'SourceRejected' },
    ],
    [
      'a login',
      html('<h1>Sign in</h1><form><input name="u"><input type="password"></form>'),
      { name: 'SourceRejected', message: expect.stringContaining('requires a login') },
    ],
    ['hardly any text', html('<p>Hello</p>'), { name: 'SourceRejected', message: expect.stringContaining('too little text') }],
    [
      'more than 5 MB',
      (_request, response) => response.setHeader('content-type', 'text/html').end(Buffer.alloc(6 << 20, 'a')),
      { name: 'SourceRejected', message: expect.stringContaining('larger') },
    ],
    [
      'a redirect to inside',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      { name: 'SourceRejected', message: expect.stringContaining('public address') },
    ],
  ])('the error for %s says so', async (_what, page, error) => {
    pages['/'] = page;
    await expect(read('/')).rejects.toMatchObject(error);
  });

  test('in the private network is not fetched', async () => {
    const given = { ...nothing, websiteUrl: 'http://10.0.0.1/' };
    await expect(readSource(given, web, never)).rejects.toMatchObject({ name: 'SourceRejected' });
  });

  test.each([
    ['nested without end', `${'<div>'.repeat(200_000)}<p>${'word '.repeat(100)}</p>`],
    ['of countless elements', `${'<b>word</b> '.repeat(100_000)}`],
    ['of scripts without an end', `<p>${'word '.repeat(100)}</p>${'<script>'.repeat(200_000)}`],
  ])('a page %s is read as plain text', async (_what, body) => {
    pages['/'] = html(body);
    expect((await read('/')).text).toMatch(/^word word/);
  });
});

describe('a text', () => {
  test('is cleaned, and its language found', async () => {
    const source = await readSource(
      { ...nothing, content: '  O pão\u0000 fresco  de todas\r\n\r\n\r\n\r\nas manhãs é o melhor da cidade.  ' },
      web,
      never,
    );
    expect(source).toEqual({
      kind: 'text',
      title: '',
      text: 'O pão fresco de todas\n\nas manhãs é o melhor da cidade.',
      language: 'pt',
      url: '',
    });
  });

  test('of a megabyte is cut at the end of a sentence', async () => {
    const { text } = await readSource({ ...nothing, content: 'Fresh bread every morning. '.repeat(40_000) }, web, never);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.endsWith('morning.')).toBe(true);
  });

  test('of control characters only is empty', async () => {
    await expect(readSource({ ...nothing, content: '\u0000\u0007' }, web, never)).rejects.toThrow('The text is empty.');
  });

  test('an idea is used unchanged', async () => {
    expect(await readSource({ ...nothing, customIdea: 'A bakery in Lisbon' }, web, never)).toMatchObject({
      kind: 'idea',
      text: 'A bakery in Lisbon',
    });
  });
});
