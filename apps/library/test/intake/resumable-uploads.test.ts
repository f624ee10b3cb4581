import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually, recordLog } from '@fanfare/testing';
import { sweepResumable } from '../../src/uploads/sweep-resumable.ts';
import { aCall, aPng, descriptionHeaders, NOTHING_STORED, startLibrary, type TestLibrary } from '../start-library.ts';

const MAX_BYTES = 12 * 1024 * 1024;

let library: TestLibrary;
let second: TestLibrary;
beforeAll(async () => {
  // Only the tests sweep.
  const config = { uploadMaxBytes: MAX_BYTES, resumableSweepMs: 24 * 3_600_000 };
  library = await startLibrary({ config });
  second = await startLibrary({ config, database: library.context.config.mongo.database });
});
afterAll(async () => {
  await second.stop();
  await library.stop();
});
beforeEach(async () => {
  for (const name of ['media', 'uploads', 'tus_uploads', 'intakes', 'blobs', 'blobs.files', 'blobs.chunks', 'storage']) {
    await library.context.db.collection(name).deleteMany({});
  }
});

const TUS = { 'tus-resumable': '1.0.0' };
const PART = { ...TUS, 'content-type': 'application/offset+octet-stream' };

interface Sent {
  readonly by?: TestLibrary;
  readonly call?: CallMetadata;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

const urlOf = (id: string, by = library) => by.local(`http://127.0.0.9/tus/${id}`);
const send = (method: string, id: string, { by = library, call = aCall().metadata, headers = {}, body }: Sent = {}) =>
  fetch(urlOf(id, by), { method, headers: { ...TUS, ...toHeaders(call), ...headers }, ...(body && { body }) });
const create = (id: string, length: number, sent: Sent = {}) =>
  send('POST', id, { ...sent, headers: { 'upload-length': String(length), 'upload-metadata': 'filename YS5wbmc=', ...sent.headers } });
const patch = (id: string, offset: number, body: Buffer, sent: Sent = {}) =>
  send('PATCH', id, { ...sent, headers: { ...PART, 'upload-offset': String(offset) }, body: new Uint8Array(body) });
const offset = async (id: string, by = library) => Number((await send('HEAD', id, { by })).headers.get('upload-offset'));
const problem = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });
const media = async (id: string) => (await library.client.getMedia({ mediaId: id }, { call: aCall() })).media;
const rows = (name: string) => library.context.db.collection(name).countDocuments();

/** Starts a request with all of `bytes`, and disconnects when this many are sent. */
async function breakOff(id: string, bytes: Buffer, sentBytes: number): Promise<void> {
  const request = httpRequest(urlOf(id), {
    method: 'PATCH',
    headers: { ...toHeaders(aCall().metadata), ...PART, 'upload-offset': 0, 'content-length': bytes.length },
  });
  request.on('error', () => undefined);
  await new Promise((resolve) => request.write(bytes.subarray(0, sentBytes), resolve));
  request.destroy();
}

test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('metadata may have the name %s', async (name) => {
  const [id, given] = [newId(), `filename YS5wbmc=,${name} eA==`];
  expect((await create(id, 10, { headers: { 'upload-metadata': given } })).status).toBe(201);
  expect((await send('HEAD', id)).headers.get('upload-metadata')).toBe(given);
});

/** Makes all uploads due for the sweep. */
const letTimePass = (set: object = {}) =>
  library.context.db.collection('tus_uploads').updateMany({}, { $set: { check_at: new Date(0), ...set } });

test('an upload in parts, by two replicas, becomes the media', async () => {
  const [id, bytes] = [newId(), await aPng(900, 700)];
  const half = Math.floor(bytes.length / 2);
  const description = { alt_text: 'Füchse', description: 'Zwei', file_name: 'C:\\a\\füchse.png' };
  const created = await create(id, bytes.length, { headers: descriptionHeaders(description) });
  expect([created.status, created.headers.get('upload-expires')]).toEqual([201, expect.stringMatching(/GMT$/)]);

  const first = await patch(id, 0, bytes.subarray(0, half));
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)]);
  const head = await send('HEAD', id, { by: second });
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'upload-offset': String(half),
    'upload-length': String(bytes.length),
    'upload-metadata': 'filename YS5wbmc=',
  });
  const last = await patch(id, half, bytes.subarray(half), { by: second });
  expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(bytes.length)]);

  const stored = await media(id);
  expect(stored).toMatchObject({
    status: 'MEDIA_STATUS_READY',
    width: 900,
    sizeBytes: bytes.length,
    source: 'upload',
    altText: 'Füchse',
    description: 'Zwei',
    fileName: 'füchse.png',
  });
  const served = await fetch(library.local(stored?.url ?? ''));
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await library.stored()).toMatchObject({ media: 1, uploads: 0, files: 1 });
  expect(await rows('intakes')).toBe(0);
  expect(await offset(id)).toBe(bytes.length);
});

test('all bytes can be sent with the creation', async () => {
  const [id, bytes] = [newId(), await aPng()];
  const created = await create(id, bytes.length, { headers: PART, body: new Uint8Array(bytes) });
  expect([created.status, created.headers.get('upload-offset')]).toEqual([201, String(bytes.length)]);
  expect(await media(id)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
});

test('a repeated creation returns the same upload; it conflicts if the upload has bytes', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  expect((await create(id, bytes.length)).status).toBe(201);
  await patch(id, 0, bytes.subarray(0, 10));
  expect((await create(id, bytes.length, { headers: PART, body: new Uint8Array(bytes) })).status).toBe(409);
  expect(await offset(id)).toBe(10);
  expect(await rows('tus_uploads')).toBe(1);
});

test('bytes that arrived before the connection broke are kept, and another replica accepts the rest', async () => {
  const [id, bytes] = [newId(), await aPng(1500, 1200)];
  await create(id, bytes.length);
  await breakOff(id, bytes, bytes.length - 1000);
  await eventually(async () => (await offset(id, second)) > 0);
  // The bytes that arrived may still be on their way to the store. Then the request conflicts and is repeated, as clients do.
  const resumed = await eventually(async () => {
    const at = await offset(id, second);
    expect(at).toBeLessThan(bytes.length);
    return (await patch(id, at, bytes.subarray(at), { by: second })).status === 204 && at;
  });
  expect(resumed).toBeGreaterThan(0);
  const served = await fetch(library.local((await media(id))?.url ?? ''));
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
});

test('an incomplete body makes no media, even if all bytes arrived', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  const request = httpRequest(urlOf(id), { method: 'PATCH', headers: { ...toHeaders(aCall().metadata), ...PART, 'upload-offset': 0 } });
  request.on('error', () => undefined);
  await new Promise((resolve) => request.write(bytes, resolve));
  request.destroy();
  const { db, blobs } = library.context;
  const row = await db.collection('tus_uploads').findOne({ _id: id as never });
  await eventually(async () => (await blobs.size(String(row?.['blob_id']))) === bytes.length);
  expect(await db.collection('tus_uploads').findOne({ _id: id as never })).toMatchObject({ state: 'open' });
  expect(await rows('intakes')).toBe(0);
});

test('of two requests at the same offset one succeeds, on any replicas', async () => {
  const [id, bytes] = [newId(), await aPng(1500, 1200)];
  await create(id, bytes.length);
  const responses = await Promise.all([library, second, library].map((by) => patch(id, 0, bytes, { by })));
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
  expect(await media(id)).toMatchObject({ sizeBytes: bytes.length });
});

test('at another offset nothing is stored', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  await patch(id, 0, bytes.subarray(0, 10));
  for (const wrong of [0, 9, 11]) {
    expect(await problem(await patch(id, wrong, bytes.subarray(10)))).toMatchObject({
      status: 409,
      code: 'upload_conflict',
      param: 'Upload-Offset',
    });
  }
  expect(await offset(id)).toBe(10);
});

test('more bytes than declared are rejected, and so is a size over the maximum', async () => {
  const id = newId();
  await create(id, 10);
  expect(await problem(await patch(id, 0, Buffer.alloc(11)))).toMatchObject({ status: 413, code: 'payload_too_large' });
  // Like the gateway.
  const streamed = { ...toHeaders(aCall().metadata), ...PART, 'upload-offset': '0', 'x-declared-bytes': '11' };
  const body = new Blob([new Uint8Array(11)]).stream();
  const response = await fetch(urlOf(id), { method: 'PATCH', headers: streamed, body, duplex: 'half' });
  expect(await problem(response)).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect(await offset(id)).toBe(0);
  expect(await problem(await create(newId(), MAX_BYTES + 1))).toMatchObject({
    status: 413,
    code: 'payload_too_large',
    param: 'Upload-Length',
    detail: 'The file is larger than 12 MiB.',
  });
  expect(await rows('media')).toBe(0);
});

test('a file that is not media is rejected with the last byte, and nothing is kept', async () => {
  const [id, bytes] = [newId(), Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100_000, 1)])];
  await create(id, bytes.length);
  expect(await problem(await patch(id, 0, bytes))).toMatchObject({ status: 400, code: 'invalid_value', param: 'file' });
  expect(await media(id)).toMatchObject({ status: 'MEDIA_STATUS_FAILED', failure: { code: 'invalid_value' } });
  await eventually(async () => (await library.stored()).chunks === 0);
  expect(await library.stored()).toEqual(NOTHING_STORED);
});

test('a truncated image is rejected with the last byte', async () => {
  const [id, bytes] = [newId(), (await aPng()).subarray(0, -500)];
  await create(id, bytes.length);
  expect(await problem(await patch(id, 0, bytes))).toMatchObject({ status: 400, code: 'invalid_value', param: 'file' });
});

test('a canceled upload is deleted with its bytes', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  await patch(id, 0, bytes.subarray(0, 100));
  expect((await send('DELETE', id, { by: second })).status).toBe(204);
  expect((await send('HEAD', id)).status).toBe(404);
  expect((await send('DELETE', id)).status).toBe(404);
  expect(await problem(await patch(id, 100, bytes.subarray(100)))).toMatchObject({ status: 404, code: 'resource_not_found' });
  expect(await library.stored()).toEqual(NOTHING_STORED);
  await letTimePass();
  await sweepResumable(library.context);
  expect(await rows('tus_uploads')).toBe(0);
});

test('deleting the future media cancels the upload', async () => {
  const id = newId();
  await create(id, 10);
  await patch(id, 0, Buffer.alloc(5));
  const deletion = (call = aCall()) =>
    library.client.deleteMedia({ operationId: newId(), mediaId: id, expectedRevisions: [], force: false }, { call });
  await expect(deletion(aCall({ businessId: newId() }))).rejects.toMatchObject({ code: 'resource_not_found' });
  expect(await offset(id)).toBe(5);
  await deletion();
  expect((await send('HEAD', id)).status).toBe(404);
  expect(await library.stored()).toEqual(NOTHING_STORED);
});

test('a complete upload cannot be canceled: that would delete the media', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  await patch(id, 0, bytes);
  expect((await send('DELETE', id)).status).toBe(404);
  expect(await media(id)).toMatchObject({ status: 'MEDIA_STATUS_READY' });
});

test('an upload of another business is not found', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await create(id, bytes.length);
  for (const call of [aCall({ organizationId: newId() }).metadata, aCall({ businessId: newId() }).metadata]) {
    expect((await send('HEAD', id, { call })).status).toBe(404);
    expect((await patch(id, 0, bytes, { call })).status).toBe(404);
    expect((await send('DELETE', id, { call })).status).toBe(404);
  }
  expect((await send('HEAD', 'no-id')).status).toBe(404);
  expect(await offset(id)).toBe(0);
});

test('open uploads reserve storage, so that a file that exceeds the quota is rejected before it is sent', async () => {
  const call = (limits: string) => aCall({ storageLimits: limits }).metadata;
  expect((await create(newId(), 600, { call: call('1000/10') })).status).toBe(201);
  expect(await problem(await create(newId(), 600, { call: call('1000/10') }))).toMatchObject({
    status: 429,
    code: 'rate_limit_exceeded',
    members: { quota: 'storage_bytes' },
  });
  expect(await problem(await create(newId(), 1, { call: call('1000/1') }))).toMatchObject({ members: { quota: 'storage_files' } });
});

test('an unknown folder is rejected before the bytes are sent', async () => {
  const response = await create(newId(), 10, { headers: descriptionHeaders({ folder_id: newId() }) });
  expect(await problem(response)).toMatchObject({ status: 400, code: 'invalid_value', param: 'folder_id' });
});

describe('an upload whose process was killed after the last byte, before it completed the upload', () => {
  /** All bytes are in the store, but the upload is open. */
  async function killed(): Promise<string> {
    const [id, bytes] = [newId(), await aPng()];
    await create(id, bytes.length);
    await patch(id, 0, bytes.subarray(0, 100));
    const row = await library.context.db.collection('tus_uploads').findOne({ _id: id as never });
    await library.context.blobs.append(String(row?.['blob_id']), 100, Readable.from([bytes.subarray(100)]));
    return id;
  }

  test('is completed when the offset is requested', async () => {
    const id = await killed();
    expect(await offset(id, second)).toBeGreaterThan(100);
    await eventually(async () => (await media(id))?.status === 'MEDIA_STATUS_READY');
  });

  test('is completed by the sweep', async () => {
    const id = await killed();
    await letTimePass();
    await sweepResumable(second.context);
    await eventually(async () => (await media(id))?.status === 'MEDIA_STATUS_READY');
    expect(await library.stored()).toMatchObject({ media: 1, files: 1 });
  });
});

describe('the sweep', () => {
  test('deletes expired uploads, and nothing else', async () => {
    const [expired, live, bytes] = [newId(), newId(), await aPng()];
    await create(expired, bytes.length);
    await patch(expired, 0, bytes.subarray(0, 100));
    await letTimePass({ expires_at: new Date(0) });
    await create(live, bytes.length);
    await patch(live, 0, bytes.subarray(0, 100));
    await library.context.db.collection('tus_uploads').updateOne({ _id: live as never }, { $set: { check_at: new Date(0) } });
    expect((await send('HEAD', expired)).status).toBe(404);

    await sweepResumable(library.context);
    await sweepResumable(second.context);
    expect(await library.stored()).toMatchObject({ files: 1, chunks: 1 });
    expect(await offset(live)).toBe(100);
    expect((await patch(live, 100, bytes.subarray(100))).status).toBe(204);
  });

  test.each(['open', 'given_up'])('checks an upload (%s) whose check fails later, after all others', async (state) => {
    const [poisoned, expired] = [newId(), newId()];
    for (const id of [poisoned, expired]) {
      await create(id, 100);
      await patch(id, 0, Buffer.alloc(5));
    }
    const uploads = library.context.db.collection<{ _id: string; blob_id: string; check_at: Date }>('tus_uploads');
    await letTimePass({ expires_at: new Date(1) });
    await uploads.updateOne({ _id: poisoned }, { $set: { state, check_at: new Date(0) } });
    const { blob_id } = (await uploads.findOne({ _id: poisoned }))!;
    const { log, lines } = recordLog();
    const fail =
      <T>(read: (id: string) => Promise<T>) =>
      (id: string) =>
        id === blob_id ? Promise.reject(new Error('This blob cannot be read.')) : read(id);
    const blobs = { ...library.context.blobs, size: fail(library.context.blobs.size), remove: fail(library.context.blobs.remove) };
    expect(await sweepResumable({ ...library.context, blobs, log })).toBe(2);
    expect(lines).toMatchObject([{ level: 'error', media_id: poisoned, blob_id }]);
    expect(await uploads.findOne({ _id: expired })).toMatchObject({ state: 'given_up' });
    expect((await uploads.findOne({ _id: poisoned }))?.check_at.getTime()).toBeGreaterThan(Date.now());
  });
});
