import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSpool } from '../../src/media/spool.ts';
import { connectChannel } from './connect-youtube.ts';
import { connectX, reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectX>>;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'sandbox-test-'));
  sandbox = await runningSandbox({}, createSpool(directory));
  user = await connectX(sandbox);
});
afterEach(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

const filesOf = () => readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

it('accepts an upload in segments, in any order, into files, and leaves none behind', async () => {
  const begun = await user.post('media/upload/initialize', {
    media_type: 'video/mp4',
    media_category: 'tweet_video',
    total_bytes: reel.length,
  });
  const { id } = begun.body.data;
  const half = Math.floor(reel.length / 2);
  for (const [index, segment] of [
    [1, reel.subarray(half)],
    [0, reel.subarray(0, half)],
  ] as const) {
    const form = new FormData();
    form.set('segment_index', String(index));
    form.set('media', new Blob([new Uint8Array(segment)]), 'segment');
    expect((await user.form(`media/upload/${id}/append`, form)).status).toBe(200);
  }
  expect(filesOf()).toHaveLength(2);
  expect((await user.post(`media/upload/${id}/finalize`)).status).toBe(200);
  await until(
    () => user.get(`media/upload?command=STATUS&media_id=${id}`),
    (response) => response.body.data.processing_info?.state === 'succeeded',
  );
  await user.post('tweets', { text: 'A video', media: { media_ids: [id] } });
  const [post] = (await sandbox.control('/posts?platform=x')).body.items.slice(-1);
  expect(post.media).toMatchObject([{ size: reel.length, sha256: createHash('sha256').update(reel).digest('hex') }]);
  expect(filesOf()).toHaveLength(1);
  await sandbox.stop();
  expect(readdirSync(directory)).toEqual([]);
});

it('keeps nothing of a form that is interrupted in its file, and reports its size', async () => {
  const body = '--b\r\ncontent-disposition: form-data; name="media"; filename="a.mp4"\r\n\r\nhalf of a fi';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const response = await sandbox.call('https://api.x.com/2/media/upload', { method: 'POST', body, headers });
  expect(response.status).toBeGreaterThanOrEqual(400);
  const [exchange] = (await sandbox.control('/requests?path=/2/media/**')).body.items.slice(-1);
  expect(exchange.body).toEqual({
    content_type: headers['content-type'],
    size: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  });
  expect(filesOf()).toEqual([]);
});

it('keeps nothing of an upload whose sender disconnects', async () => {
  const aborting = new AbortController();
  let arrived = 0;
  const source = new ReadableStream({
    // Not in `pull`, which would be called forever.
    async start(controller) {
      controller.enqueue(new Uint8Array(70_000));
      arrived = await until(async () => filesOf().length, Boolean);
      aborting.abort();
    },
  });
  const init = { method: 'PUT', body: source, duplex: 'half', signal: aborting.signal, headers: { 'content-type': 'video/mp4' } };
  await expect(sandbox.call('https://open-upload.tiktokapis.com/video/?upload_id=1', init as never)).rejects.toThrow();
  expect(arrived).toBe(1);
  await until(
    async () => filesOf(),
    ({ length }) => length === 0,
  );
});

it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])('reads an upload as bytes even if its type is %s', async (type) => {
  const channel = await connectChannel(sandbox);
  const snippet = { title: 'A video', categoryId: '22' };
  const session = (await channel.start({ snippet, status: { privacyStatus: 'public' } })).headers.get('location')!;
  const range = `bytes 0-${reel.length - 1}/${reel.length}`;
  const rejected = await channel.put(session, range, reel, { 'content-type': type });
  expect(rejected).toMatchObject({
    status: 400,
    text: expect.stringContaining(`The Content-Type is ${type}, not video/mp4 as announced.`),
  });
  const [exchange] = (await sandbox.control('/requests?path=/upload/**')).body.items.slice(-1);
  expect(exchange.body).toMatchObject({ size: reel.length, sha256: createHash('sha256').update(reel).digest('hex') });
  expect((await channel.put(session, range, reel)).status).toBe(201);
});
