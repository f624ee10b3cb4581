import { newId } from '@fanfare/runtime';
import { aCall, aJpeg, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
let ids: string[];
let urls: string[];

beforeAll(async () => {
  library = await startLibrary();
  ids = [newId(), newId(), newId()];
  urls = [];
  for (const id of ids) urls.push((await mediaOf(await library.upload(id, new Uint8Array(await aJpeg())))).url ?? '');
});
afterAll(() => library.stop());

const foreign = [
  ['another business', aCall({ businessId: newId() })],
  ['another organization', aCall({ organizationId: newId() })],
] as const;

test('media are returned in the order of the request, without unknown ids', async () => {
  const [a, b, c] = ids as [string, string, string];
  const { media } = await library.client.batchGetMedia({ mediaIds: [c, newId(), a, 'no-id', b] }, { call: aCall() });
  expect(media.map(({ id }) => id)).toEqual([c, a, b]);
});

test('stable and expiring URLs on our own host are resolved, others are omitted', async () => {
  const [signed] = (await library.client.signMediaUrls({ mediaIds: [ids[1] ?? ''], validForSeconds: 3600 }, { call: aCall() })).media;
  const ours = [urls[0] ?? '', signed?.publicUrl ?? ''];
  const others = [
    'https://example.com/x.jpg',
    `${urls[2]}x`,
    (urls[2] ?? '').replace('media.example.com', 'evil.example.com'),
    'nonsense',
    '',
  ];
  const { mediaByUrl } = await library.client.resolveMediaUrls({ urls: [...ours, ...others] }, { call: aCall() });
  expect(Object.keys(mediaByUrl).sort()).toEqual([...ours].sort());
  expect(mediaByUrl[ours[0] ?? '']?.id).toBe(ids[0]);
  expect(mediaByUrl[ours[1] ?? '']).toMatchObject({ id: ids[1], url: urls[1] });
});

test('public and internal signed URLs are returned in the order of the request', async () => {
  const [a, b] = ids as [string, string];
  const { media } = await library.client.signMediaUrls({ mediaIds: [b, a], validForSeconds: 7 * 24 * 3600 }, { call: aCall() });
  expect(media.map((one) => one.media?.id)).toEqual([b, a]);
  expect(media[0]?.publicUrl).toMatch(new RegExp(`^https://media.example.com/media/${b}/.*\\?expires=\\d+$`));
  expect(media[0]?.internalUrl).toMatch(new RegExp(`^http://127.0.0.9/media/${b}/.*\\?expires=\\d+$`));
});

test.each([0, 3599, 7 * 24 * 3600 + 1])('URLs are not signed for %d s', async (validForSeconds) => {
  await expect(library.client.signMediaUrls({ mediaIds: ids, validForSeconds }, { call: aCall() })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'valid_for_seconds',
  });
});

test('with one unknown id, no URL is signed', async () => {
  const request = { mediaIds: [...ids, newId()], validForSeconds: 3600 };
  await expect(library.client.signMediaUrls(request, { call: aCall() })).rejects.toMatchObject({ code: 'resource_not_found' });
});

test.each(foreign)('%s sees nothing', async (_whose, call) => {
  expect((await library.client.batchGetMedia({ mediaIds: ids }, { call })).media).toEqual([]);
  expect((await library.client.resolveMediaUrls({ urls }, { call })).mediaByUrl).toEqual({});
  await expect(library.client.signMediaUrls({ mediaIds: ids, validForSeconds: 3600 }, { call })).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  const upload = await library.upload(ids[0] ?? '', new Uint8Array(await aJpeg()), { call: call.metadata });
  expect(upload.status).toBe(404);
});

test('more than a hundred ids are rejected', async () => {
  const mediaIds = Array.from({ length: 101 }, newId);
  await expect(library.client.batchGetMedia({ mediaIds }, { call: aCall() })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'media_ids',
  });
});

test('a call without a business is an internal error', async () => {
  await expect(library.client.batchGetMedia({ mediaIds: ids }, { call: aCall({ businessId: '' }) })).rejects.toMatchObject({
    code: 'internal_error',
  });
});
