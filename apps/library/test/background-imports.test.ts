import { topics } from '@fanfare/contracts';
import type { Media } from '@fanfare/contracts/library';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer } from '@fanfare/testing';
import { insertIntake } from '../src/intake/store/intakes.ts';
import { aFileServer, type FileServer } from './a-file-server.ts';
import { aCall, aPng, startLibrary, type TestLibrary } from './start-library.ts';

const AT_ONCE_BYTES = 100_000;
const MAX_BYTES = 20_000_000;

let web: FileServer;
let library: TestLibrary;
/** Larger than what a request may fetch, and than what the store writes at a time. */
let picture: Buffer;

const config = {
  fetch: { maxBytes: AT_ONCE_BYTES, timeoutMs: 1_500 },
  intakes: { maxBytes: MAX_BYTES, timeoutMs: 60_000, timeScale: 0.1 },
};

beforeAll(async () => {
  picture = await aPng(2000, 1500);
  expect(picture.length).toBeGreaterThan(8_000_000);
  web = await aFileServer();
  library = await startLibrary({ allowedOrigins: [web.origin], config });
});
afterAll(async () => {
  await library.stop();
  await web.stop();
});
beforeEach(() => {
  web.files.clear();
  web.asked.length = 0;
});

/** A path of its own for each file. */
function serve(file: Partial<Parameters<FileServer['files']['set']>[1]> & { body: Buffer }) {
  const path = `/${newId()}`;
  const served = { ...file };
  web.files.set(path, served);
  return { url: web.origin + path, served };
}

async function begin(url: string, { mediaId = newId(), call = aCall() } = {}): Promise<Media> {
  const request = { operationId: newId(), mediaId, url, param: 'url', mayContinue: true, altText: 'A picture' };
  const { media } = await library.client.importMedia(request, { call, timeoutMs: 20_000 });
  return media as Media;
}

const get = async (mediaId: string, call = aCall()) => (await library.client.getMedia({ mediaId }, { call })).media as Media;
const ended = (mediaId: string, call = aCall()) =>
  eventually(async () => {
    const media = await get(mediaId, call);
    return media.status !== 'MEDIA_STATUS_PROCESSING' && media;
  });

const bytesOf = async ({ url }: Media) => Buffer.from(await (await fetch(library.local(url))).arrayBuffer());
/** Stored bytes that no media, derivative or work under way refers to. */
const strays = async (): Promise<unknown[]> => {
  const { db } = library.context;
  const stored = await db.collection('blobs.files').distinct('_id');
  const known = await Promise.all([db.collection('blobs').distinct('_id'), db.collection('uploads').distinct('_id')]);
  return stored.filter((id) => !known.flat().includes(id));
};
const noStrays = () => eventually(async () => (await strays()).length === 0);
const rowOf = (id: string) => library.context.db.collection('intakes').findOne({ _id: id as never });
/** Until that many bytes are stored for good. */
const staged = (id: string, bytes: number) =>
  eventually(async () => {
    const blobId = (await rowOf(id))?.['staging_blob_id'] as string | undefined;
    return blobId !== undefined && ((await library.context.blobs.size(blobId)) ?? 0) >= bytes;
  });

test('what is larger than a request may fetch goes on in the background, and is the very file in the end', async () => {
  const { url } = serve({ body: picture, etag: '"v1"' });
  const begun = await begin(url);
  expect(begun).toMatchObject({ status: 'MEDIA_STATUS_PROCESSING', altText: 'A picture', source: url, originalUrl: url, revision: 1 });
  const media = await ended(begun.id);
  expect(media).toMatchObject({ id: begun.id, status: 'MEDIA_STATUS_READY', mimeType: 'image/png', width: 2000, altText: 'A picture' });
  expect((await bytesOf(media)).equals(picture)).toBe(true);
  expect(await rowOf(begun.id)).toBeNull();
  await noStrays();
});

test('what takes longer than a request may last goes on too, and a repeat tells how far it is', async () => {
  const body = await aPng(100, 100);
  const { url, served } = serve({ body, pauseAfter: 0 });
  const mediaId = newId();
  expect(await begin(url, { mediaId })).toMatchObject({ status: 'MEDIA_STATUS_PROCESSING' });
  expect(await begin(url, { mediaId })).toMatchObject({ id: mediaId, status: 'MEDIA_STATUS_PROCESSING' });
  delete served.pauseAfter;
  expect(await ended(mediaId)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
  expect(await begin(url, { mediaId })).toMatchObject({ id: mediaId, status: 'MEDIA_STATUS_READY' });
});

test('what is small is there at once', async () => {
  const { url } = serve({ body: await aPng(80, 80) });
  expect(await begin(url)).toMatchObject({ status: 'MEDIA_STATUS_READY', altText: 'A picture' });
});

describe('what is wrong is told at once where it shows at once, and leaves nothing', () => {
  test.each([
    ['more than any file may have', async () => ({ body: Buffer.alloc(MAX_BYTES + 1) })],
    ['no media', async () => ({ body: Buffer.from('<html>') })],
  ])('%s', async (_what, make) => {
    const { url } = serve(await make());
    const mediaId = newId();
    await expect(begin(url, { mediaId })).rejects.toMatchObject({ code: 'invalid_value', param: 'url' });
    await expect(get(mediaId)).rejects.toMatchObject({ code: 'resource_not_found' });
    await noStrays();
  });

  test.each([
    ['more than the plan has room for', {}],
    ['more than the plan has room for, of unknown length', { silentOnLength: true }],
  ])('%s', async (_what, how) => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES / 2}/10` });
    // Whoever waits for more than there is room for waits for ever.
    const { url } = serve({ body: Buffer.alloc(MAX_BYTES, 7), pauseAfter: AT_ONCE_BYTES * 0.8, ...how });
    const mediaId = newId();
    const full = { code: 'rate_limit_exceeded', members: { quota: 'storage_bytes' } };
    await expect(begin(url, { mediaId, call })).rejects.toMatchObject(full);
    await expect(get(mediaId, call)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('a folder that is not there', async () => {
    const { url } = serve({ body: picture });
    const request = { operationId: newId(), mediaId: newId(), url, param: 'url', mayContinue: true, altText: '', folderId: newId() };
    await expect(library.client.importMedia(request, { call: aCall() })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'folder_id',
    });
    expect(web.asked).toEqual([]);
  });
});

describe('what turns out later makes the media failed, and leaves no bytes', () => {
  test.each([
    [
      'a file that says nothing of its length and has too much',
      { body: Buffer.alloc(MAX_BYTES + 1, 7), silentOnLength: true },
      /larger than allowed/,
    ],
    ['a large file that is no media', { body: Buffer.alloc(AT_ONCE_BYTES * 50, 7) }, /not a /],
    ['a server that has it no more', { body: Buffer.alloc(AT_ONCE_BYTES * 50, 7), gone: true }, /status 404/],
  ])('%s', async (_what, { gone, ...file }: { body: Buffer; silentOnLength?: boolean; gone?: boolean }, detail) => {
    const { url, served } = serve({ ...file, ...(gone && { pauseAfter: 0 }) });
    const { id } = await begin(url);
    if (gone) {
      web.files.clear();
      Object.assign(served, { breakAfter: 0, pauseAfter: undefined });
    }
    const failed = await ended(id);
    expect(failed).toMatchObject({
      status: 'MEDIA_STATUS_FAILED',
      failure: { code: 'invalid_value', detail: expect.stringMatching(detail) },
    });
    await eventually(async () => (await rowOf(id))?.['open'] === false);
    await noStrays();
    expect(await library.client.batchGetMedia({ mediaIds: [id] }, { call: aCall() })).toEqual({ media: [] });
  });

  test('a server that announces more than the plan has room for', async () => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES * 2}/10` });
    const { url } = serve({ body: picture });
    const { id } = await begin(url, { call });
    expect(await ended(id, call)).toMatchObject({ status: 'MEDIA_STATUS_FAILED', failure: { code: 'rate_limit_exceeded' } });
  });

  test('a server that does not say how much it sends, and sends more than the plan has room for', async () => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES * 2}/10` });
    const { url } = serve({ body: Buffer.alloc(MAX_BYTES, 7), silentOnLength: true, pauseAfter: AT_ONCE_BYTES * 4 });
    const { id } = await begin(url, { call });
    expect(await ended(id, call)).toMatchObject({
      status: 'MEDIA_STATUS_FAILED',
      failure: { code: 'rate_limit_exceeded', detail: expect.stringMatching(/storage_bytes: 200000, used: 0/) },
    });
    await noStrays();
  });

  test('and others hear of it, once', async () => {
    const peer = await startEventPeer(library.infra, 'intakes', [topics.mediaChanged]);
    try {
      const { url } = serve({ body: Buffer.alloc(AT_ONCE_BYTES * 2, 7) });
      const { id } = await begin(url);
      const heard = () => peer.received(topics.mediaChanged).filter(({ data }) => data.mediaId === id);
      await eventually(() => heard().length > 0);
      expect(heard().map(({ data }) => [data.change, data.revision, data.media?.failure?.code])).toEqual([
        ['MEDIA_CHANGE_FAILED', 1, 'invalid_value'],
      ]);
    } finally {
      await peer.stop();
    }
  });
});

describe('a connection that breaks', () => {
  test('is gone on with where it was', async () => {
    const { url, served } = serve({ body: picture, etag: '"v1"', breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await eventually(() => web.asked.length >= 2);
    delete served.breakAfter;
    const media = await ended(id);
    expect((await bytesOf(media)).equals(picture)).toBe(true);
    // The request's own attempt and the first in the background asked for all of it.
    expect(web.asked.slice(0, 2)).toEqual(['all', 'all']);
    for (const range of web.asked.slice(2)) expect(range).toMatch(/^from [1-9]/);
  });

  test('brings the other file when it was replaced meanwhile', async () => {
    const other = await aPng(1900, 1400);
    const { url, served } = serve({ body: picture, etag: '"v1"', breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await staged(id, 1);
    Object.assign(served, { body: other, etag: '"v2"', breakAfter: undefined });
    const media = await ended(id);
    expect(media).toMatchObject({ status: 'MEDIA_STATUS_READY', width: 1900 });
    expect((await bytesOf(media)).equals(other)).toBe(true);
    await noStrays();
  });

  test('begins anew where the server knows no ranges', async () => {
    const { url, served } = serve({ body: picture, breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await staged(id, 1);
    delete served.breakAfter;
    expect((await bytesOf(await ended(id))).equals(picture)).toBe(true);
  });
});

test('a library that stops hands on what has come, and another one fetches the rest', async () => {
  const first = await startLibrary({ allowedOrigins: [web.origin], config });
  const { url, served } = serve({ body: picture, etag: '"v1"', pauseAfter: 6_000_000 });
  const request = { operationId: newId(), mediaId: newId(), url, param: 'url', mayContinue: true, altText: '' };
  await first.client.importMedia(request, { call: aCall(), timeoutMs: 20_000 });
  const rows = () => first.context.db.collection('intakes').findOne({ _id: request.mediaId as never });
  await eventually(async () => {
    const blobId = (await rows())?.['staging_blob_id'] as string | undefined;
    return blobId !== undefined && ((await first.context.blobs.size(blobId)) ?? 0) >= 4_000_000;
  });
  const { databaseName } = first.context.db;
  await first.stop({ keepData: true });
  delete served.pauseAfter;
  const second = await startLibrary({ allowedOrigins: [web.origin], config, database: databaseName });
  try {
    const media = await eventually(async () => {
      const found = (await second.client.getMedia({ mediaId: request.mediaId }, { call: aCall() })).media;
      return found?.status === 'MEDIA_STATUS_READY' && found;
    });
    const response = await fetch(second.local(media.url));
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
    expect(web.asked.at(-1)).toMatch(/^from [1-9]/);
  } finally {
    await second.stop();
  }
});

test('an organization with many slow URLs does not keep another one waiting', async () => {
  const [greedy, modest] = [aCall({ organizationId: newId() }), aCall({ organizationId: newId() })];
  const slow = serve({ body: picture, pauseAfter: 0 });
  const intakeOf = (id: string, url: string, { organizationId, businessId }: CallMetadata) =>
    insertIntake(library.context.db, { _id: id, organization_id: organizationId, business_id: businessId, kind: 'url', url, alt_text: '' });
  const many = Array.from({ length: 12 }, () => newId());
  for (const id of many) await intakeOf(id, slow.url, greedy.metadata);
  for (const wake of library.context.afterIntake) wake();
  await eventually(() => web.asked.length >= 3);

  const id = newId();
  await intakeOf(id, serve({ body: await aPng(90, 90) }).url, modest.metadata);
  for (const wake of library.context.afterIntake) wake();
  expect(await ended(id, modest)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
  // Of the greedy one no more are under way than an organization may have at a time.
  expect(web.open()).toBe(3);
  for (const one of many) {
    await library.client.deleteMedia({ operationId: newId(), mediaId: one, expectedRevisions: [], force: false }, { call: greedy });
  }
  await eventually(() => web.open() === 0);
});

describe('a URL on our own host', () => {
  test('of another business of the organization makes the same bytes a media of this one, without fetching', async () => {
    const there = aCall({ businessId: newId() });
    const original = await begin(serve({ body: await aPng(70, 70) }).url, { call: there });
    web.asked.length = 0;
    const mediaId = newId();
    const copy = await begin(original.url, { mediaId });
    expect(copy).toMatchObject({ id: mediaId, businessId: aCall().metadata.businessId, width: 70, sha256: original.sha256 });
    expect(await begin(original.url, { mediaId })).toEqual(copy);
    expect(web.asked).toEqual([]);
    await noStrays();
    // Each lives for itself.
    await library.client.deleteMedia({ operationId: newId(), mediaId: original.id, expectedRevisions: [], force: false }, { call: there });
    expect(await bytesOf(copy)).toHaveLength(original.sizeBytes);
  });

  test('of another organization is rejected', async () => {
    const original = await begin(serve({ body: await aPng(60, 60) }).url, { call: aCall({ organizationId: newId() }) });
    await expect(begin(original.url)).rejects.toMatchObject({ code: 'invalid_value', param: 'url' });
  });
});
