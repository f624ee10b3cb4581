import { newId } from '@fanfare/runtime';
import { aCall, aPng, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';
import { startS3, type TestS3 } from './start-s3.ts';

let s3: TestS3;
let library: TestLibrary;
let body: Buffer;
let id: string;
let url: string;

beforeAll(async () => {
  s3 = await startS3();
  library = await startLibrary({ config: { blobs: { s3: s3.settings, presign: true, fallback: undefined } } });
  body = await aPng(2000, 1500);
  id = newId();
  url = library.local((await mediaOf(await library.upload(id, new Uint8Array(body))))['url'] ?? '');
});
afterAll(async () => {
  await library.stop();
  await s3.stop();
});

const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('media on S3 are served in the same way: whole files, ranges, headers', async () => {
  expect(await s3.objects()).not.toEqual([]);
  expect(await library.stored()).toMatchObject({ files: 0, chunks: 0 });
  const whole = await fetch(url);
  expect([whole.status, whole.headers.get('content-type'), (await bytes(whole)).equals(body)]).toEqual([200, 'image/png', true]);
  const range = await fetch(url, { headers: { range: 'bytes=1000000-1000099' } });
  expect([range.status, (await bytes(range)).equals(body.subarray(1_000_000, 1_000_100))]).toEqual([206, true]);
  expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(body.length));
  expect((await fetch(url, { headers: { range: `bytes=${body.length}-` } })).status).toBe(416);
});

test('platforms get URLs of the bucket, our own services URLs of the library', async () => {
  const [signed] = (await library.client.signMediaUrls({ mediaIds: [id], validForSeconds: 3600 }, { call: aCall() })).media;
  expect(new URL(signed?.publicUrl ?? '').origin).toBe(s3.settings.endpoint);
  const response = await fetch(signed?.publicUrl ?? '');
  expect(response.headers.get('content-type')).toBe('image/png');
  expect((await bytes(response)).equals(body)).toBe(true);
  const expiresIn = Number(new URL(signed?.publicUrl ?? '').searchParams.get('X-Amz-Expires'));
  expect(expiresIn).toBeGreaterThan(3500);
  expect(expiresIn).toBeLessThanOrEqual(3600);
  expect((await bytes(await fetch(library.local(signed?.internalUrl ?? '')))).equals(body)).toBe(true);
});

test('a failure of the store is an internal error, before any byte is sent', async () => {
  const { db } = library.context;
  const missing = newId();
  const media = await db.collection<{ _id: string }>('media').findOne({ _id: id });
  await db.collection<{ _id: string }>('media').insertOne({ ...media, _id: missing, blob_id: newId() } as never);
  const response = await fetch(library.local(library.context.urls.stable(missing)));
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal_error' });
});
