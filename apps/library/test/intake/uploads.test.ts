import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import os from 'node:os';
import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { scopeOf } from '../../src/scope.ts';
import { storeMedia } from '../../src/intake/store-media.ts';
import { sweepUploads } from '../../src/blobs/sweep-uploads.ts';
import { abandonExpiredUploads, beginUpload } from '../../src/blobs/store/uploads.ts';
import { aCall, aJpeg, aPng, fixture, mediaOf, NOTHING_STORED, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary({ config: { uploadMaxBytes: 3 * 1024 * 1024 } });
});
afterAll(() => library.stop());
beforeEach(async () => {
  for (const name of ['media', 'uploads', 'blobs.files', 'blobs.chunks']) await library.context.db.collection(name).deleteMany({});
});

/** The files in the spool of this process. */
async function spooled(): Promise<string[]> {
  const names = (await readdir(os.tmpdir())).filter((name) => name.startsWith(`fanfare-library-${process.pid}-`));
  return (await Promise.all(names.map((name) => readdir(`${os.tmpdir()}/${name}`)))).flat();
}

test('an upload is stored and can be read back', async () => {
  const [id, body] = [newId(), await aPng(300, 200)];
  const response = await library.upload(id, body, { description: { alt_text: 'Zwei Füchse 🦊', file_name: '../füchse\u202egnp.png' } });
  const media = await mediaOf(response);
  expect(media).toMatchObject({
    id,
    business_id: aCall().metadata.businessId,
    type: 'MEDIA_TYPE_IMAGE',
    mime_type: 'image/png',
    size_bytes: body.length,
    width: 300,
    height: 200,
    source: 'upload',
    alt_text: 'Zwei Füchse 🦊',
  });
  expect(new Date(media['created_at'] ?? '').toISOString()).toBe(media['created_at']);
  expect(Buffer.from(await (await fetch(library.local(media['url'] ?? ''))).arrayBuffer()).equals(body)).toBe(true);
  expect((await library.client.batchGetMedia({ mediaIds: [id] }, { call: aCall() })).media[0]).toMatchObject({
    url: media.url,
    sha256: media.sha256,
  });
  expect(await spooled()).toEqual([]);
});

test('a repeated upload returns the first result, whatever its body is', async () => {
  const id = newId();
  const first = await (await library.upload(id, await aPng())).json();
  const repeat = await (await library.upload(id, 'something else')).json();
  const atOnceId = newId();
  const body = await aJpeg();
  const atOnce = await Promise.all([1, 2, 3].map(async () => (await library.upload(atOnceId, body)).json()));
  expect(repeat).toEqual(first);
  expect(atOnce[1]).toEqual(atOnce[0]);
  expect(atOnce[2]).toEqual(atOnce[0]);
  expect(await library.stored()).toMatchObject({ media: 2, uploads: 0, files: 2 });
});

test.each([
  ['an empty body', () => Buffer.alloc(0), 'empty'],
  ['text', () => Buffer.from('this is no image'), 'not a JPEG'],
  ['an EXE', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100_000, 1)]), 'not a JPEG'],
  ['a truncated JPEG', async () => (await aJpeg()).subarray(0, -500), 'truncated'],
  ['a truncated PNG', async () => (await aPng()).subarray(0, -500), 'truncated'],
  ['a truncated video', async () => (await fixture('clip.webm')).subarray(0, -500), 'truncated'],
])('%s is rejected and nothing is kept', async (_what, make, detail) => {
  const response = await library.upload(newId(), new Uint8Array(await make()), { query: '?param=media.0' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_value', param: 'media.0', detail: expect.stringContaining(detail) });
  expect(await library.stored()).toEqual(NOTHING_STORED);
  expect(await spooled()).toEqual([]);
});

test('a body over the limit is rejected, with or without a declared size', async () => {
  const streamed = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1024 * 1024));
      if (++sent === 5) controller.close();
    },
  });
  let sent = 0;
  for (const body of [Buffer.alloc(4 * 1024 * 1024), streamed]) {
    const response = await library.upload(newId(), body);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'payload_too_large', param: 'file', detail: 'The file is larger than 3 MiB.' });
    // The connection can be reused.
    expect((await library.upload('not-an-id', 'x')).status).toBe(400);
  }
  expect(await library.stored()).toEqual(NOTHING_STORED);
  expect(await spooled()).toEqual([]);
});

test('a declared size over the limit is rejected before the body is received', async () => {
  const rejected = async (bytes: number, call = aCall(), sent = 'x') => {
    const headers = { ...toHeaders(call.metadata), 'x-declared-bytes': String(bytes) };
    const request = httpRequest(library.local(`http://127.0.0.9/uploads/${newId()}`), { method: 'PUT', headers });
    request.on('error', () => undefined);
    request.write(sent);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const problem = (await json(response)) as object;
    request.destroy();
    return problem;
  };
  expect(await rejected(4 * 1024 * 1024)).toMatchObject({ status: 413, code: 'payload_too_large', param: 'file' });
  const planned = aCall({ storageLimits: '1000/10' });
  expect(await rejected(1001, planned)).toMatchObject({ status: 429, code: 'rate_limit_exceeded', members: { quota: 'storage_bytes' } });
  // A larger body with a smaller declared size is rejected too, before its end.
  expect(await rejected(1, planned, 'x'.repeat(1001))).toMatchObject({ status: 429, members: { quota: 'storage_bytes' } });
});

test('an invalid id and a call without a business are rejected', async () => {
  const body = await aJpeg();
  expect((await library.upload('not-an-id', body)).status).toBe(400);
  expect((await library.upload(newId(), body, { call: aCall({ businessId: '' }).metadata })).status).toBe(500);
  expect(await library.stored()).toEqual(NOTHING_STORED);
});

test('an aborted upload leaves nothing', async () => {
  const id = newId();
  const url = library.local(`http://127.0.0.9/uploads/${id}`);
  const request = httpRequest(url, { method: 'PUT', headers: { ...toHeaders(aCall().metadata), 'content-length': 100_000 } });
  request.on('error', () => undefined);
  request.write((await aJpeg()).subarray(0, 1000));
  await eventually(async () => (await spooled()).length === 1);
  request.destroy();
  await eventually(async () => (await spooled()).length === 0);
  expect(await library.stored()).toEqual(NOTHING_STORED);
});

describe('the remains of an upload of a killed process', () => {
  /** As after a kill during the copy: the row, and chunks without a file. */
  async function halfWritten(leaseMs: number): Promise<string> {
    const { db } = library.context;
    const [blobId, mediaId] = [newId(), newId()];
    await beginUpload(db, blobId, mediaId, leaseMs);
    await db.collection('blobs.chunks').insertMany([0, 1].map((n) => ({ files_id: blobId as never, n, data: Buffer.alloc(10) })));
    return mediaId;
  }

  test('are invisible, do not prevent a repeated upload, and are deleted when the lease has expired', async () => {
    const mediaId = await halfWritten(0);
    expect((await library.client.batchGetMedia({ mediaIds: [mediaId] }, { call: aCall() })).media).toEqual([]);
    expect((await library.upload(mediaId, await aJpeg())).status).toBe(200);
    // By this call or by the clean-up of the library, which may be running.
    await sweepUploads(library.context);
    await eventually(async () => (await library.stored()).uploads === 0);
    expect(await library.stored()).toEqual({ media: 1, uploads: 0, files: 1, chunks: 1 });
    expect((await library.client.batchGetMedia({ mediaIds: [mediaId] }, { call: aCall() })).media).toHaveLength(1);
  });

  test('are deleted when the next process starts', async () => {
    await halfWritten(0);
    const next = await startLibrary({ database: library.context.config.mongo.database });
    // Its row is deleted last.
    await eventually(async () => (await library.stored()).uploads === 0);
    expect(await library.stored()).toEqual(NOTHING_STORED);
    await next.stop();
  });

  test('are kept while the upload may still be running', async () => {
    await halfWritten(60_000);
    expect(await sweepUploads(library.context)).toBe(0);
    expect(await library.stored()).toMatchObject({ uploads: 1, chunks: 2 });
  });

  test.each(['has only begun', 'is done'])('cannot be finished when the collector %s', async (collector) => {
    const { context } = library;
    const { db, blobs, spool } = context;
    const write: typeof blobs.write = async (blobId, source, options) => {
      const written = await blobs.write(blobId, source, options);
      await db.collection('uploads').updateOne({ _id: blobId as never }, { $set: { lease_until: new Date(0) } });
      if (collector === 'is done') await sweepUploads(context);
      else await abandonExpiredUploads(db, 10);
      return written;
    };
    const tooLate = spool.withFile(async (file) => {
      await writeFile(file, await aJpeg());
      return storeMedia({ ...context, blobs: { ...blobs, write } }, scopeOf(aCall().metadata), {
        id: newId(),
        file,
        source: 'upload',
        altText: '',
        limits: undefined,
      });
    });
    await expect(tooLate).rejects.toThrow('longer than its lease');
    await sweepUploads(context);
    expect(await library.stored()).toEqual(NOTHING_STORED);
  });
});
