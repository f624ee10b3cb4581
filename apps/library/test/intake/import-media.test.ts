import { newId } from '@fanfare/runtime';
import {
  aCall,
  aJpeg,
  aPng,
  aWebServer,
  fixture,
  NOTHING_STORED,
  PUBLIC_BASE_URL,
  startLibrary,
  type TestLibrary,
} from '../start-library.ts';

let web: Awaited<ReturnType<typeof aWebServer>>;
let library: TestLibrary;
let files: Record<string, { body?: Buffer; status?: number; headers?: Record<string, string> }>;

beforeAll(async () => {
  web = await aWebServer((request, response) => {
    const file = files[request.url ?? ''] ?? { status: 404 };
    response.writeHead(file.status ?? 200, file.headers).end(file.body);
  });
  library = await startLibrary({ allowedOrigins: [web.origin], config: { fetch: { maxBytes: 100_000, timeoutMs: 30_000 } } });
});
afterAll(async () => {
  await library.stop();
  await web.stop();
});
beforeEach(async () => {
  files = {};
  for (const name of ['media', 'uploads', 'blobs.files', 'blobs.chunks']) await library.context.db.collection(name).deleteMany({});
});

const importUrl = (url: string, { mediaId = newId(), call = aCall() } = {}) =>
  library.client.importMedia(
    { operationId: newId(), mediaId, url, param: 'media_urls.1', mayContinue: false, altText: '' },
    { call, timeoutMs: 20_000 },
  );

test('an image is fetched, probed and stored, and its URL serves the same bytes', async () => {
  const body = await aJpeg(120, 80);
  files['/photo'] = { body, headers: { 'content-type': 'application/octet-stream' } };
  const mediaId = newId();
  const { media } = await importUrl(`${web.origin}/photo`, { mediaId });
  expect(media).toMatchObject({
    id: mediaId,
    businessId: aCall().metadata.businessId,
    type: 'MEDIA_TYPE_IMAGE',
    mimeType: 'image/jpeg',
    sizeBytes: body.length,
    width: 120,
    height: 80,
    source: `${web.origin}/photo`,
    altText: '',
  });
  expect(media?.durationMs).toBeUndefined();
  expect(Math.abs(Date.now() - (media?.createdAt?.getTime() ?? 0))).toBeLessThan(60_000);
  expect(media?.url).toContain(`${PUBLIC_BASE_URL}/media/${mediaId}/`);

  const response = await fetch(library.local(media?.url ?? ''));
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
});

test('a video has its size and duration', async () => {
  files['/clip'] = { body: await fixture('clip.mp4') };
  const { media } = await importUrl(`${web.origin}/clip`);
  expect(media).toMatchObject({ type: 'MEDIA_TYPE_VIDEO', mimeType: 'video/mp4', width: 64, height: 48, durationMs: 1000 });
});

test('redirects to public addresses are followed', async () => {
  files['/a'] = { status: 302, headers: { location: '/b' } };
  files['/b'] = { body: await aPng() };
  expect((await importUrl(`${web.origin}/a`)).media).toMatchObject({ mimeType: 'image/png', source: `${web.origin}/a` });
});

test('concurrent requests with the same id store one media and return the same', async () => {
  files['/photo'] = { body: await aJpeg() };
  const mediaId = newId();
  const [first, second] = await Promise.all([1, 2].map(() => importUrl(`${web.origin}/photo`, { mediaId })));
  delete files['/photo'];
  const third = await importUrl(`${web.origin}/photo`, { mediaId });
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(await library.stored()).toEqual({ media: 1, uploads: 0, files: 1, chunks: 1 });
});

test('an id of another business is not revealed', async () => {
  files['/photo'] = { body: await aJpeg() };
  const mediaId = newId();
  await importUrl(`${web.origin}/photo`, { mediaId });
  await expect(importUrl(`${web.origin}/photo`, { mediaId, call: aCall({ businessId: newId() }) })).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  expect(await library.stored()).toMatchObject({ media: 1, uploads: 0, files: 1 });
});

describe('rejected with the parameter, and nothing is stored', () => {
  const bad: [string, () => Promise<Buffer> | Buffer, RegExp][] = [
    ['text with an image type', () => Buffer.from('this is no image'), /not a JPEG/],
    ['a page', () => Buffer.from('<!doctype html><title>Not found</title>'), /not a JPEG/],
    ['an EXE named .jpg', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000, 1)]), /not a JPEG/],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /not a JPEG/],
    ['an empty file', () => Buffer.alloc(0), /empty/],
    ['a truncated JPEG', async () => (await aJpeg()).subarray(0, 3000), /truncated/],
    ['a truncated PNG', async () => (await aPng()).subarray(0, 3000), /truncated/],
    ['a truncated MP4', async () => (await fixture('clip.mp4')).subarray(0, 2000), /truncated/],
    ['a file over the limit', () => Buffer.alloc(100_001, 1), /larger than allowed.*from-url/],
  ];
  test.each(bad)('%s', async (_what, make, detail) => {
    files['/photo.jpg'] = { body: await make(), headers: { 'content-type': 'image/jpeg' } };
    await expect(importUrl(`${web.origin}/photo.jpg`)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'media_urls.1',
      message: expect.stringMatching(detail),
    });
    expect(await library.stored()).toEqual(NOTHING_STORED);
  });

  test('a status other than 200', async () => {
    await expect(importUrl(`${web.origin}/missing`)).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('status 404'),
    });
  });
});

test.each([false, true])('a server that never responds is rejected at the timeout, with may_continue=%s', async (mayContinue) => {
  const silent = await aWebServer(() => undefined);
  const other = await startLibrary({ allowedOrigins: [silent.origin], config: { fetch: { maxBytes: 1000, timeoutMs: 5_000 } } });
  const request = { operationId: newId(), mediaId: newId(), url: silent.origin, param: 'media_urls.0', mayContinue, altText: '' };
  await expect(other.client.importMedia(request, { call: aCall() })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'media_urls.0',
    message: expect.stringMatching(/did not respond in time\.$/),
  });
  await other.stop();
  await silent.stop();
});

test('a server that does not finish its response is rejected at the timeout, with advice', async () => {
  const slow = await aWebServer((_request, response) => void response.writeHead(200).write('x'));
  const other = await startLibrary({ allowedOrigins: [slow.origin], config: { fetch: { maxBytes: 1000, timeoutMs: 5_000 } } });
  const request = { operationId: newId(), mediaId: newId(), url: slow.origin, param: 'media_urls.0', mayContinue: false, altText: '' };
  await expect(other.client.importMedia(request, { call: aCall() })).rejects.toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(/longer than allowed.*from-url/),
  });
  await other.stop();
  await slow.stop();
});
