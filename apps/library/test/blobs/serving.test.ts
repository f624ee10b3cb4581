import { get } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aCall, aJpeg, aPng, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
let body: Buffer;
let id: string;
let stable: string;
let expiring: string;
let internal: string;

beforeAll(async () => {
  library = await startLibrary();
  // Several chunks of GridFS, so that ranges cross chunk boundaries.
  body = await aPng(1400, 1000);
  expect(body.length).toBeGreaterThan(2.2 * 1024 * 1024);
  id = newId();
  const media = await mediaOf(await library.upload(id, new Uint8Array(body)));
  stable = library.local(media['url'] ?? '');
  const [signed] = (await library.client.signMediaUrls({ mediaIds: [id], validForSeconds: 3600 }, { call: aCall() })).media;
  expiring = library.local(signed?.publicUrl ?? '');
  internal = library.local(signed?.internalUrl ?? '');
});
afterAll(() => library.stop());

const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test.each([
  ['stable', () => stable, /^public, max-age=86400$/],
  ['expiring', () => expiring, /^private, max-age=3\d{3}$/],
  ['internal', () => internal, /^private, max-age=3\d{3}$/],
])('the %s URL serves the whole file', async (_kind, url, cacheControl) => {
  const response = await fetch(url());
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(body.length),
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${id}.png"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': expect.stringMatching(cacheControl),
  });
  expect((await bytes(response)).equals(body)).toBe(true);
});

test('HEAD returns the same headers without a body', async () => {
  const [head, whole] = [await fetch(stable, { method: 'HEAD' }), await fetch(stable)];
  const headers = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)));
  expect(head.status).toBe(200);
  expect(headers(head)).toEqual(headers(whole));
  expect(await head.text()).toBe('');
});

const MIB = 1024 * 1024;
test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=100-199', 100, 199],
  [`bytes=${MIB - 1}-${MIB}`, MIB - 1, MIB],
  [`bytes=${MIB}-${2 * MIB - 1}`, MIB, 2 * MIB - 1],
  ['bytes=2000000-', 2_000_000, -1],
  ['bytes=-7', -7, -1],
  ['bytes=5-999999999', 5, -1],
])('%s', async (range, first, last) => {
  const [start, end] = [first < 0 ? body.length + first : first, last < 0 ? body.length - 1 : last];
  const response = await fetch(expiring, { headers: { range } });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${body.length}`);
  expect(response.headers.get('content-length')).toBe(String(end - start + 1));
  expect((await bytes(response)).equals(body.subarray(start, end + 1))).toBe(true);
});

test('a range past the end is 416 with the size; several ranges get the whole file', async () => {
  const past = await fetch(stable, { headers: { range: `bytes=${body.length}-` } });
  expect([past.status, past.headers.get('content-range'), await past.text()]).toEqual([416, `bytes */${body.length}`, '']);
  const several = await fetch(stable, { headers: { range: 'bytes=0-1,5-6' } });
  expect([several.status, (await bytes(several)).length]).toEqual([200, body.length]);
});

test('an interrupted download can be resumed by If-Range', async () => {
  const etag = (await fetch(stable, { method: 'HEAD' })).headers.get('etag') ?? '';
  expect((await fetch(stable, { headers: { range: 'bytes=10-', 'if-range': etag } })).status).toBe(206);
  expect((await fetch(stable, { headers: { range: 'bytes=10-', 'if-range': '"other"' } })).status).toBe(200);
});

test('If-None-Match saves the bytes', async () => {
  const etag = (await fetch(stable, { method: 'HEAD' })).headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await fetch(stable, { headers: { 'if-none-match': known } });
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
  }
  expect((await fetch(stable, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

describe('conditions', () => {
  const at = (text: string, seconds: number) => new Date(Date.parse(text) + seconds * 1000).toUTCString();
  test.each<[string, number, (etag: string, modified: string) => Record<string, string>]>([
    ['If-Match with its tag', 200, (etag) => ({ 'if-match': `"x", ${etag}` })],
    ['If-Match of anything', 200, () => ({ 'if-match': '*' })],
    ['If-Match of another tag', 412, () => ({ 'if-match': '"x"' })],
    ['If-Match compares strongly', 412, (etag) => ({ 'if-match': `W/${etag}` })],
    ['If-Match takes precedence over If-None-Match', 412, (etag) => ({ 'if-match': '"x"', 'if-none-match': etag })],
    ['If-Match takes precedence over a date', 200, (etag, modified) => ({ 'if-match': etag, 'if-unmodified-since': at(modified, -1) })],
    ['If-Unmodified-Since with its date', 200, (_etag, modified) => ({ 'if-unmodified-since': modified })],
    ['If-Unmodified-Since with an earlier date', 412, (_etag, modified) => ({ 'if-unmodified-since': at(modified, -1) })],
    ['If-Unmodified-Since without a date', 200, () => ({ 'if-unmodified-since': '1' })],
    ['If-Modified-Since with its date', 304, (_etag, modified) => ({ 'if-modified-since': modified })],
    ['If-Modified-Since with an earlier date', 200, (_etag, modified) => ({ 'if-modified-since': at(modified, -1) })],
    ['If-Modified-Since without a date', 200, () => ({ 'if-modified-since': '2999-01-01' })],
    ['If-None-Match takes precedence over a date', 200, (_etag, modified) => ({ 'if-none-match': '"x"', 'if-modified-since': modified })],
    ['If-Range with its date', 206, (_etag, modified) => ({ range: 'bytes=0-9', 'if-range': modified })],
    ['If-Range with another date', 200, (_etag, modified) => ({ range: 'bytes=0-9', 'if-range': at(modified, 1) })],
    ['a condition takes precedence over a range', 412, () => ({ range: 'bytes=0-9', 'if-match': '"x"' })],
  ])('%s: %d', async (_what, status, headers) => {
    const known = (await fetch(stable, { method: 'HEAD' })).headers;
    const [etag, modified] = [known.get('etag') ?? '', known.get('last-modified') ?? ''];
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(stable, { method, headers: headers(etag, modified) });
      expect([response.status, response.headers.get('etag')]).toEqual([status, etag]);
      const expected = method === 'HEAD' ? 0 : ({ 200: body.length, 206: 10 }[status] ?? 0);
      expect((await bytes(response)).length).toBe(expected);
    }
  });
});

describe('the same 404 for', () => {
  const changed: [string, () => string][] = [
    ['a tampered signature', () => stable.slice(0, -1) + (stable.endsWith('A') ? 'B' : 'A')],
    ['no signature', () => stable.slice(0, stable.lastIndexOf('/'))],
    ['another id', () => stable.replace(id, newId())],
    ['a stable signature made expiring', () => `${stable}?expires=9999999999`],
    ['an expiring signature made stable', () => expiring.slice(0, expiring.indexOf('?'))],
    ['a later expiration time', () => `${expiring}0`],
    ['an empty expiration time', () => expiring.replace(/expires=.*/, 'expires=')],
    ['an additional path segment', () => `${stable}/x`],
    ['another path', () => new URL('/', stable).href],
    ['an expired URL', () => library.local(library.context.urls.expiring(id, new Date(Date.now() - 1000)).publicUrl)],
    ['a valid signature of an unknown id', () => library.local(library.context.urls.stable(newId()))],
  ];
  test.each(changed)('%s', async (_what, url) => {
    const response = await fetch(url());
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ code: 'resource_not_found', status: 404 });
    expect(await (await fetch(url(), { method: 'HEAD' })).text()).toBe('');
  });
});

test('media URLs are read-only', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const response = await fetch(stable, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

test('an aborted download leaves no open cursor', async () => {
  const big = newId();
  await library.upload(big, new Uint8Array(await aPng(3000, 2000)));
  const { mongo, db, urls } = library.context;
  const ofChunks = { $match: { ns: `${db.databaseName}.blobs.chunks` } };
  const openCursors = () =>
    mongo.client
      .db('admin')
      .aggregate([{ $currentOp: { idleCursors: true } }, ofChunks], { readConcern: { level: 'local' } })
      .toArray();

  // On a new connection: a used one may have buffers for the whole file.
  const request = get(library.local(urls.stable(big)), { agent: false }).on('error', () => undefined);
  await new Promise((resolve) => request.once('response', resolve));
  await eventually(async () => (await openCursors()).length === 1);
  request.destroy();
  await eventually(async () => (await openCursors()).length === 0);
});

test('a blob with a missing chunk aborts the response, so that it does not look complete', async () => {
  const damaged = newId();
  await library.upload(damaged, new Uint8Array(body));
  const { db, urls } = library.context;
  const media = await db.collection('media').findOne({ _id: damaged as never });
  await db.collection('blobs.chunks').deleteOne({ files_id: media?.['blob_id'], n: 1 });
  await expect(fetch(library.local(urls.stable(damaged))).then(bytes)).rejects.toThrow();
});

test('a small image is served during many slow downloads', async () => {
  const small = newId();
  const jpeg = await aJpeg();
  await library.upload(small, new Uint8Array(jpeg));
  const stalled = Array.from({ length: 40 }, () => get(stable).on('error', () => undefined));
  await Promise.all(stalled.map((request) => new Promise((resolve) => request.once('response', resolve))));
  expect((await bytes(await fetch(library.local(library.context.urls.stable(small))))).equals(jpeg)).toBe(true);
  for (const request of stalled) request.destroy();
});

test('a type that is not on the closed list is served as a download', async () => {
  const { db, urls } = library.context;
  const odd = newId();
  const media = await db.collection<{ _id: string }>('media').findOne({ _id: id });
  await db.collection<{ _id: string }>('media').insertOne({ ...media, _id: odd, mime_type: 'image/svg+xml' } as never);
  const { headers } = await fetch(library.local(urls.stable(odd)));
  expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    'application/octet-stream',
    `attachment; filename="${odd}.bin"`,
  ]);
});
