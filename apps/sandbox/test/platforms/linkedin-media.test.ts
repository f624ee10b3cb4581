import sharp from 'sharp';
import { aPost as aLinkedinPost, connectLinkedin as connect, selfServe } from './connect-linkedin.ts';
import { reel, runningSandbox, until, type SandboxResponse, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connect>>;
let png: Buffer;

const aPost = (more: object = {}) => aLinkedinPost(user.page, more);
const postsOf = async () => (await sandbox.control('/posts?platform=linkedin')).body.items;
const encoded = (urn: string) => encodeURIComponent(urn);

async function beginImage(owner = user.page, as = user): Promise<{ uploadUrl: string; image: string }> {
  const { body } = await as.post('images?action=initializeUpload', { initializeUploadRequest: { owner } });
  return body.value;
}
async function uploadImage(bytes = png, owner = user.page): Promise<string> {
  const { uploadUrl, image } = await beginImage(owner);
  expect((await user.put(uploadUrl, bytes, { authorization: user.headers['authorization']! })).status).toBe(201);
  return image;
}
/** The same video, enlarged by a part that players skip. */
function videoOf(sizeBytes: number): Buffer {
  const box = Buffer.alloc(sizeBytes - reel.length);
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4, 'latin1');
  return Buffer.concat([reel, box]);
}
const initializeVideo = (fileSizeBytes: number, more: object = {}) =>
  user.post('videos?action=initializeUpload', {
    initializeUploadRequest: { owner: user.page, fileSizeBytes, uploadCaptions: false, uploadThumbnail: false, ...more },
  });
const finalize = (video: string, uploadedPartIds: string[], uploadToken = '') =>
  user.post('videos?action=finalizeUpload', { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } });

async function uploadVideo(bytes: Buffer): Promise<string> {
  const { value } = (await initializeVideo(bytes.length)).body;
  const etags: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of value.uploadInstructions) {
    const sent = await user.put(uploadUrl, bytes.subarray(firstByte, lastByte + 1));
    expect(sent.status).toBe(200);
    etags.push(sent.headers.get('etag')!);
  }
  expect((await finalize(value.video, etags, value.uploadToken)).status).toBe(200);
  return value.video;
}
const statusOf = async (kind: string, urn: string) => (await user.get(`${kind}/${encoded(urn)}`)).body;

beforeAll(async () => {
  sandbox = await runningSandbox();
  user = await connect(sandbox);
  png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
});
afterAll(() => sandbox.stop());

describe('images', () => {
  it('takes one with an alt text, and several', async () => {
    const images = [await uploadImage(), await uploadImage()];
    expect(await statusOf('images', images[0]!)).toMatchObject({ status: 'AVAILABLE', owner: user.page });
    expect((await user.post('posts', aPost({ content: { media: { id: images[0], altText: 'A cup', title: 'Cup' } } }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ kind: 'photo', media: [{ alt_text: 'A cup', width: 80 }] });
    const multiImage = { images: images.map((id) => ({ id, altText: 'Two cups' })) };
    expect((await user.post('posts', aPost({ content: { multiImage } }))).status).toBe(201);
    expect((await postsOf()).at(-1)).toMatchObject({ kind: 'album', media: [{}, {}] });
  });

  it('are read several at once, each with a URL or an error', async () => {
    const images = [await uploadImage(), await uploadImage(png, user.member)];
    const gone = 'urn:li:image:nothing';
    const { body } = await user.get(`images?ids=List(${[...images, gone].map(encoded).join(',')})`);
    expect(Object.keys(body.results)).toEqual(images);
    expect(body.results[images[0]!]).toMatchObject({
      ...{ id: images[0], owner: user.page, status: 'AVAILABLE', downloadUrlExpiresAt: expect.any(Number) },
      downloadUrl: expect.stringContaining(`${images[0]!.split(':').at(-1)}?e=`),
    });
    expect(body.errors).toEqual({ [gone]: { status: 404, code: 'RESOURCE_NOT_FOUND', message: expect.stringContaining(gone) } });
    const other = await connect(sandbox, selfServe);
    for (const [as, query, status] of [
      [user, '', 400],
      [user, '?ids=', 400],
      [user, `?ids=List(${images[0]})`, 400],
      [user, `?ids=List(${encoded('urn:li:video:1')})`, 400],
      [user, `?ids=List(${encoded(gone)})&fields=id`, 400],
      [other, `?ids=List(${encoded(images[0]!)})`, 403],
    ] as const) {
      expect([query, (await as.get(`images${query}`)).status]).toEqual([query, status]);
    }
  });

  it('are sent with the token of the member who started the upload, once', async () => {
    const { uploadUrl } = await beginImage();
    const authorization = user.headers['authorization']!;
    expect((await user.put(uploadUrl, png)).status).toBe(401);
    sandbox.clock.aheadMs = 25 * 3600_000;
    expect(await user.put(uploadUrl, png, { authorization })).toMatchObject({ status: 403, text: expect.stringContaining('<html>') });
    sandbox.clock.aheadMs = 0;
    expect((await user.put(uploadUrl, png, { authorization })).status).toBe(201);
    expect((await user.put(uploadUrl, png, { authorization })).status).toBe(400);
  });

  it('must exist, be complete, and belong to the author', async () => {
    const { image: waiting } = await beginImage();
    const broken = await uploadImage(Buffer.from('not an image'));
    const wrongType = await uploadImage(reel.subarray(0, 10_000));
    const foreign = await uploadImage(png, user.member);
    for (const image of [broken, wrongType]) {
      const failed = { status: 'PROCESSING_FAILED', processingFailureReason: expect.stringContaining('no JPG, PNG or GIF') };
      expect(await statusOf('images', image)).toMatchObject(failed);
    }
    for (const [id, code] of [
      [waiting, 'MEDIA_ASSET_WAITING_UPLOAD'],
      [broken, 'MEDIA_ASSET_PROCESSING_FAILED'],
      [wrongType, 'MEDIA_ASSET_PROCESSING_FAILED'],
      [foreign, 'INVALID_CONTENT_OWNERSHIP'],
      ['urn:li:image:nothing', 'INVALID_URN_ID'],
    ]) {
      expect(await user.post('posts', aPost({ content: { media: { id } } }))).toMatchObject({ status: 400, body: { code } });
    }
    const one = { multiImage: { images: [{ id: await uploadImage() }] } };
    expect((await user.post('posts', aPost({ content: one }))).body).toMatchObject({ code: 'ILLEGAL_ARGUMENT' });
  });

  it('can be added, but not read, by a login that only posts as a member', async () => {
    const simple = await connect(sandbox, selfServe);
    const { image } = await beginImage(simple.member, simple);
    expect(await simple.get(`images/${encoded(image)}`)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
    expect(await simple.post('images?action=initializeUpload', { initializeUploadRequest: { owner: user.page } })).toMatchObject({
      status: 403,
    });
  });
});

describe('videos', () => {
  it('are uploaded in parts of 4 MB, each to its own URL, and are processed before they can be posted', async () => {
    await sandbox.control('/faults', {
      platform: 'linkedin',
      call: 'linkedin.finalize_video',
      fault: { type: 'slow_processing', ms: 30_000 },
    });
    const video = await uploadVideo(videoOf(4_194_304 + 10));
    expect(await statusOf('videos', video)).toMatchObject({ status: 'PROCESSING' });
    const content = { media: { id: video, title: 'Our video' } };
    expect((await user.post('posts', aPost({ content }))).body).toMatchObject({ code: 'MEDIA_ASSET_PROCESSING' });
    sandbox.clock.aheadMs = 31_000;
    const ready = await statusOf('videos', video);
    const posted = await user.post('posts', aPost({ content }));
    sandbox.clock.aheadMs = 0;
    expect(ready).toMatchObject({ status: 'AVAILABLE' });
    expect(posted.headers.get('x-restli-id')).toMatch(/^urn:li:ugcPost:\d+$/);
  });

  it('report a file that is not a video', async () => {
    const video = await uploadVideo(Buffer.alloc(80_000));
    const failed = await until(
      () => statusOf('videos', video),
      ({ status }) => status === 'PROCESSING_FAILED',
    );
    expect(failed.processingFailureReason).toMatch(/no MP4/);
  });

  it('check sizes, ETags and their order', async () => {
    const bytes = videoOf(4_194_304 + 10);
    const { value } = (await initializeVideo(bytes.length)).body;
    const [first, second] = value.uploadInstructions;
    expect(second).toMatchObject({ firstByte: 4_194_304, lastByte: bytes.length - 1 });
    expect((await user.put(first.uploadUrl, bytes.subarray(0, 10))).status).toBe(400);
    const etags: string[] = [];
    for (const part of [first, second]) {
      const sent: SandboxResponse = await user.put(part.uploadUrl, bytes.subarray(part.firstByte, part.lastByte + 1));
      etags.push(sent.headers.get('etag')!);
    }
    for (const wrong of [etags.slice(0, 1), etags.toReversed(), ['a', 'b']]) {
      expect(await finalize(value.video, wrong)).toMatchObject({ status: 400, body: { code: 'ILLEGAL_ARGUMENT' } });
    }
    expect((await finalize(value.video, etags, 'other')).status).toBe(400);
    expect((await finalize(value.video, etags)).status).toBe(200);
    expect((await finalize(value.video, etags)).status).toBe(400);
    for (const size of [10_000, 74_999, 500_000_001]) {
      expect(await initializeVideo(size)).toMatchObject({ status: 400, body: { code: 'ILLEGAL_ARGUMENT' } });
    }
    expect((await initializeVideo(80_000, { colour: 'red' })).status).toBe(422);
  });
});
