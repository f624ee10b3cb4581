import { topics } from '@fanfare/contracts';
import type { Media } from '@fanfare/contracts/library';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer } from '@fanfare/testing';
import { insertIntake } from '../../src/intake/store/intakes.ts';
import { aFileServer, type FileServer } from './a-file-server.ts';
import { aCall, aPng, startLibrary, type TestLibrary } from '../start-library.ts';

const AT_ONCE_BYTES = 100_000;
const MAX_BYTES = 20_000_000;

let web: FileServer;
let library: TestLibrary;
/** Larger than the limit of a request, and than a batch of the blob store. */
let png: Buffer;

const config = {
  fetch: { maxBytes: AT_ONCE_BYTES, timeoutMs: 5_000 },
  intakes: { maxBytes: MAX_BYTES, timeoutMs: 60_000, timeScale: 0.1 },
};

beforeAll(async () => {
  png = await aPng(2000, 1500);
  expect(png.length).toBeGreaterThan(8_000_000);
  web = await aFileServer();
  library = await startLibrary({ allowedOrigins: [web.origin], config });
});
afterAll(async () => {
  await library.stop();
  await web.stop();
});
beforeEach(() => {
  web.files.clear();
  web.requests.length = 0;
});

/** Serves a file at a new path. */
function serve(file: Partial<Parameters<FileServer['files']['set']>[1]> & { body: Buffer }) {
  const path = `/${newId()}`;
  const served = { ...file };
  web.files.set(path, served);
  return { url: web.origin + path, served };
}

async function begin(url: string, { mediaId = newId(), call = aCall() } = {}): Promise<Media> {
  const request = { operationId: newId(), mediaId, url, param: 'url', mayContinue: true, altText: 'A photo' };
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
/** Stored blobs that no media, derivative or running upload refers to. */
const strays = async (): Promise<unknown[]> => {
  const { db } = library.context;
  const stored = await db.collection('blobs.files').distinct('_id');
  const known = await Promise.all([db.collection('blobs').distinct('_id'), db.collection('uploads').distinct('_id')]);
  return stored.filter((id) => !known.flat().includes(id));
};
const noStrays = () => eventually(async () => (await strays()).length === 0);
const rowOf = (id: string) => library.context.db.collection('intakes').findOne({ _id: id as never });
/** Waits until this many bytes are durably stored. */
const staged = (id: string, bytes: number) =>
  eventually(async () => {
    const blobId = (await rowOf(id))?.['staging_blob_id'] as string | undefined;
    return blobId !== undefined && ((await library.context.blobs.size(blobId)) ?? 0) >= bytes;
  });

test('a file larger than the limit of a request is imported in the background, byte for byte', async () => {
  const { url } = serve({ body: png, etag: '"v1"' });
  const begun = await begin(url);
  expect(begun).toMatchObject({ status: 'MEDIA_STATUS_PROCESSING', altText: 'A photo', source: url, originalUrl: url, revision: 1 });
  const media = await ended(begun.id);
  expect(media).toMatchObject({ id: begun.id, status: 'MEDIA_STATUS_READY', mimeType: 'image/png', width: 2000, altText: 'A photo' });
  expect((await bytesOf(media)).equals(png)).toBe(true);
  expect(await rowOf(begun.id)).toBeNull();
  await noStrays();
});

test('a file that takes longer than a request is imported in the background, and a repeated request returns its status', async () => {
  const body = await aPng(100, 100);
  const { url, served } = serve({ body, pauseAfter: 0 });
  const mediaId = newId();
  expect(await begin(url, { mediaId })).toMatchObject({ status: 'MEDIA_STATUS_PROCESSING' });
  expect(await begin(url, { mediaId })).toMatchObject({ id: mediaId, status: 'MEDIA_STATUS_PROCESSING' });
  delete served.pauseAfter;
  expect(await ended(mediaId)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
  expect(await begin(url, { mediaId })).toMatchObject({ id: mediaId, status: 'MEDIA_STATUS_READY' });
});

test('a small file is ready in the response', async () => {
  const { url } = serve({ body: await aPng(80, 80) });
  expect(await begin(url)).toMatchObject({ status: 'MEDIA_STATUS_READY', altText: 'A photo' });
});

describe('errors that are visible immediately are returned by the request, and nothing is stored', () => {
  test.each([
    ['a file over the maximum size', async () => ({ body: Buffer.alloc(MAX_BYTES + 1) })],
    ['a file that is not media', async () => ({ body: Buffer.from('<html>') })],
  ])('%s', async (_what, make) => {
    const { url } = serve(await make());
    const mediaId = newId();
    await expect(begin(url, { mediaId })).rejects.toMatchObject({ code: 'invalid_value', param: 'url' });
    await expect(get(mediaId)).rejects.toMatchObject({ code: 'resource_not_found' });
    await noStrays();
  });

  test.each([
    ['a file that exceeds the storage quota', {}],
    ['a file of unknown size that exceeds the storage quota', { silentOnLength: true }],
  ])('%s', async (_what, how) => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES / 2}/10` });
    // The server pauses before the end, so that the test hangs if the library waits for the whole file.
    const { url } = serve({ body: Buffer.alloc(MAX_BYTES, 7), pauseAfter: AT_ONCE_BYTES * 0.8, ...how });
    const mediaId = newId();
    const full = { code: 'rate_limit_exceeded', members: { quota: 'storage_bytes' } };
    await expect(begin(url, { mediaId, call })).rejects.toMatchObject(full);
    await expect(get(mediaId, call)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('an unknown folder', async () => {
    const { url } = serve({ body: png });
    const request = { operationId: newId(), mediaId: newId(), url, param: 'url', mayContinue: true, altText: '', folderId: newId() };
    await expect(library.client.importMedia(request, { call: aCall() })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'folder_id',
    });
    expect(web.requests).toEqual([]);
  });
});

describe('errors that are found later make the media failed, and no bytes are kept', () => {
  test.each([
    ['a file of unknown size that is too large', { body: Buffer.alloc(MAX_BYTES + 1, 7), silentOnLength: true }, /larger than allowed/],
    ['a large file that is not media', { body: Buffer.alloc(AT_ONCE_BYTES * 50, 7) }, /not a /],
    ['a file that was deleted on the server', { body: Buffer.alloc(AT_ONCE_BYTES * 50, 7), isDeleted: true }, /status 404/],
  ])('%s', async (_what, { isDeleted, ...file }: { body: Buffer; silentOnLength?: boolean; isDeleted?: boolean }, detail) => {
    const { url, served } = serve({ ...file, ...(isDeleted && { pauseAfter: 0 }) });
    const { id } = await begin(url);
    if (isDeleted) {
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

  test('a server that declares a size over the storage quota', async () => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES * 2}/10` });
    const { url } = serve({ body: png });
    const { id } = await begin(url, { call });
    expect(await ended(id, call)).toMatchObject({ status: 'MEDIA_STATUS_FAILED', failure: { code: 'rate_limit_exceeded' } });
  });

  test('a server that declares no size, and sends more than the storage quota', async () => {
    const call = aCall({ organizationId: newId(), storageLimits: `${AT_ONCE_BYTES * 2}/10` });
    const { url } = serve({ body: Buffer.alloc(MAX_BYTES, 7), silentOnLength: true, pauseAfter: AT_ONCE_BYTES * 4 });
    const { id } = await begin(url, { call });
    expect(await ended(id, call)).toMatchObject({
      status: 'MEDIA_STATUS_FAILED',
      failure: { code: 'rate_limit_exceeded', detail: expect.stringMatching(/storage_bytes: 200000, used: 0/) },
    });
    await noStrays();
  });

  test('and one event is sent', async () => {
    const peer = await startEventPeer(library.infra, 'intakes', [topics.mediaChanged]);
    try {
      const { url } = serve({ body: Buffer.alloc(AT_ONCE_BYTES * 2, 7) });
      const { id } = await begin(url);
      const received = () => peer.received(topics.mediaChanged).filter(({ data }) => data.mediaId === id);
      await eventually(() => received().length > 0);
      expect(received().map(({ data }) => [data.change, data.revision, data.media?.failure?.code])).toEqual([
        ['MEDIA_CHANGE_FAILED', 1, 'invalid_value'],
      ]);
    } finally {
      await peer.stop();
    }
  });
});

describe('a connection that breaks', () => {
  test('is resumed where it stopped', async () => {
    const { url, served } = serve({ body: png, etag: '"v1"', breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await eventually(() => web.requests.length >= 2);
    delete served.breakAfter;
    const media = await ended(id);
    expect((await bytesOf(media)).equals(png)).toBe(true);
    // The attempt of the request and the first attempt in the background requested the whole file.
    expect(web.requests.slice(0, 2)).toEqual(['all', 'all']);
    for (const range of web.requests.slice(2)) expect(range).toMatch(/^from [1-9]/);
  });

  test('gets the new file if it was replaced in the meantime', async () => {
    const other = await aPng(1900, 1400);
    const { url, served } = serve({ body: png, etag: '"v1"', breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await staged(id, 1);
    Object.assign(served, { body: other, etag: '"v2"', breakAfter: undefined });
    const media = await ended(id);
    expect(media).toMatchObject({ status: 'MEDIA_STATUS_READY', width: 1900 });
    expect((await bytesOf(media)).equals(other)).toBe(true);
    await noStrays();
  });

  test('starts over if the server does not support ranges', async () => {
    const { url, served } = serve({ body: png, breakAfter: 5_000_000 });
    const { id } = await begin(url);
    await staged(id, 1);
    delete served.breakAfter;
    expect((await bytesOf(await ended(id))).equals(png)).toBe(true);
  });
});

test('another replica continues an import of a library that stops, and fetches only the rest', async () => {
  const first = await startLibrary({ allowedOrigins: [web.origin], config });
  const { url, served } = serve({ body: png, etag: '"v1"', pauseAfter: 6_000_000 });
  const request = { operationId: newId(), mediaId: newId(), url, param: 'url', mayContinue: true, altText: '' };
  await first.client.importMedia(request, { call: aCall(), timeoutMs: 20_000 });
  const rows = () => first.context.db.collection('intakes').findOne({ _id: request.mediaId as never });
  await eventually(async () => {
    const blobId = (await rows())?.['staging_blob_id'] as string | undefined;
    return blobId !== undefined && ((await first.context.blobs.size(blobId)) ?? 0) >= 4_000_000;
  });
  const { databaseName } = first.context.db;
  await first.stop();
  delete served.pauseAfter;
  const second = await startLibrary({ allowedOrigins: [web.origin], config, database: databaseName });
  try {
    const media = await eventually(async () => {
      const found = (await second.client.getMedia({ mediaId: request.mediaId }, { call: aCall() })).media;
      return found?.status === 'MEDIA_STATUS_READY' && found;
    });
    const response = await fetch(second.local(media.url));
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(web.requests.at(-1)).toMatch(/^from [1-9]/);
  } finally {
    await second.stop();
  }
});

test('an organization with many slow URLs does not keep another one waiting', async () => {
  const [greedy, modest] = [aCall({ organizationId: newId() }), aCall({ organizationId: newId() })];
  const slow = serve({ body: png, pauseAfter: 0 });
  const intakeOf = (id: string, url: string, { organizationId, businessId }: CallMetadata) =>
    insertIntake(library.context.db, { _id: id, organization_id: organizationId, business_id: businessId, kind: 'url', url, alt_text: '' });
  const many = Array.from({ length: 12 }, () => newId());
  for (const id of many) await intakeOf(id, slow.url, greedy.metadata);
  for (const wake of library.context.afterIntake) wake();
  await eventually(() => web.requests.length >= 3);

  const id = newId();
  await intakeOf(id, serve({ body: await aPng(90, 90) }).url, modest.metadata);
  for (const wake of library.context.afterIntake) wake();
  expect(await ended(id, modest)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
  // The first organization has no more running imports than the limit for one organization.
  expect(web.open()).toBe(3);
  for (const one of many) {
    await library.client.deleteMedia({ operationId: newId(), mediaId: one, expectedRevisions: [], force: false }, { call: greedy });
  }
  await eventually(() => web.open() === 0);
});

describe('a URL on our own host', () => {
  test('of another business of the organization creates a media with the same bytes, without a request', async () => {
    const there = aCall({ businessId: newId() });
    const original = await begin(serve({ body: await aPng(70, 70) }).url, { call: there });
    web.requests.length = 0;
    const mediaId = newId();
    const copy = await begin(original.url, { mediaId });
    expect(copy).toMatchObject({ id: mediaId, businessId: aCall().metadata.businessId, width: 70, sha256: original.sha256 });
    expect(await begin(original.url, { mediaId })).toEqual(copy);
    expect(web.requests).toEqual([]);
    await noStrays();
    // Each media can be deleted independently.
    await library.client.deleteMedia({ operationId: newId(), mediaId: original.id, expectedRevisions: [], force: false }, { call: there });
    expect(await bytesOf(copy)).toHaveLength(original.sizeBytes);
  });

  test('of another organization is rejected', async () => {
    const original = await begin(serve({ body: await aPng(60, 60) }).url, { call: aCall({ organizationId: newId() }) });
    await expect(begin(original.url)).rejects.toMatchObject({ code: 'invalid_value', param: 'url' });
  });
});
