import { createHash } from 'node:crypto';
import { DerivativeRecipe } from '@fanfare/contracts/library';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import sharp, { type Sharp } from 'sharp';
import { sweepDerivatives } from '../../src/derivatives/sweep-derivatives.ts';
import { aVideo, streamsOf } from '../make-recordings.ts';
import { aCall, aJpeg, aPng, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary({ backgroundProcesses: 1 });
});
afterAll(() => library.stop());

const WHERE = { IFD0: { Copyright: 'A' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
const call = () => aCall();
const derivatives = () => library.context.db.collection('derivatives');

async function stored(bytes: Uint8Array, scope = call()): Promise<string> {
  const id = newId();
  await mediaOf(await library.upload(id, bytes as Uint8Array<ArrayBuffer>, { call: scope.metadata }));
  return id;
}

async function download(url: string): Promise<{ bytes: Buffer; response: Response }> {
  const response = await fetch(library.local(url));
  return { bytes: Buffer.from(await response.arrayBuffer()), response };
}

const media = async (mediaId: string) => (await library.client.getMedia({ mediaId }, { call: call() })).media;
const sign = async (mediaId: string) =>
  (await library.client.signMediaUrls({ mediaIds: [mediaId], validForSeconds: 3600 }, { call: call() })).media[0]!;

/** Requests a derivative until it is ready or has failed. */
const make = (mediaId: string, recipe: Partial<DerivativeRecipe>) =>
  eventually(async () => {
    const request = { mediaId, recipe: DerivativeRecipe.fromPartial(recipe), validForSeconds: 3600 };
    const response = await library.client.makeDerivative(request, { call: call() });
    return response.status !== 'MEDIA_STATUS_PROCESSING' && response;
  });

async function made(mediaId: string, recipe: Partial<DerivativeRecipe>) {
  const { derivative, failure } = await make(mediaId, recipe);
  expect(failure).toBeUndefined();
  const { bytes, response } = await download(derivative!.publicUrl);
  expect(response.headers.get('content-type')).toBe(recipe.mimeType);
  expect(bytes.length).toBe(derivative!.sizeBytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(derivative!.sha256);
  return { derivative: derivative!, bytes };
}

test('an image gets a placeholder immediately, and a thumbnail', async () => {
  const id = await stored(await aJpeg(1200, 600));
  expect((await media(id))?.placeholder).toMatch(/^data:image\/webp;base64,/);
  const { thumbnailUrl, coverUrl, revision } = await eventually(async () => {
    const found = await media(id);
    return found?.thumbnailUrl !== '' && found;
  });
  expect({ coverUrl, revision }).toEqual({ coverUrl: '', revision: 1 });
  const { bytes, response } = await download(thumbnailUrl);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 200 });
});

test('a video gets an upright thumbnail, a cover of its own size and a placeholder', async () => {
  const id = await stored(await aVideo({ size: '640x480', rotation: 90 }));
  const found = await eventually(async () => {
    const { media: one } = await library.client.getMedia({ mediaId: id }, { call: call() });
    return one?.thumbnailUrl !== '' && one?.coverUrl !== '' && one;
  });
  expect(found).toMatchObject({ width: 480, height: 640, facts: { videoCodec: 'mpeg4', audioCodec: 'aac', hasLocation: false } });
  expect(found.placeholder).toMatch(/^data:image\/webp;base64,/);
  expect(await sharp((await download(found.coverUrl)).bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 640 });
  expect(await sharp((await download(found.thumbnailUrl)).bytes).metadata()).toMatchObject({ width: 300, height: 400 });
});

test.each<[string, (image: Sharp) => Sharp]>([
  ['JPEG', (image) => image.jpeg()],
  ['PNG', (image) => image.png()],
  ['WebP', (image) => image.webp()],
])('the copy of a %s for platforms has no location data and the same pixels', async (_name, encode) => {
  const noise = sharp(await aPng(90, 60));
  const original = await encode(
    noise.withIccProfile('p3').withExif(WHERE).withMetadata({ orientation: 6 }).withExifMerge(WHERE),
  ).toBuffer();
  const id = await stored(original);
  expect((await media(id))?.facts).toMatchObject({ hasLocation: true, orientation: 6 });
  const signed = await sign(id);
  const { bytes } = await download(signed.publicUrl);
  expect(signed.media).toMatchObject({ id, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  const [before, after] = await Promise.all([original, bytes].map((one) => sharp(one).metadata()));
  expect(after).toMatchObject({ orientation: 6, width: 90, height: 60, format: before!.format });
  expect(after!.icc).toEqual(before!.icc);
  expect(bytes.includes('Copyright') || after!.exif!.length > 60).toBe(false);
  const [was, is] = await Promise.all([original, bytes].map((one) => sharp(one).raw().toBuffer()));
  expect(is!.equals(was!)).toBe(true);
  // The organization itself gets the uploaded file.
  expect((await download((await media(id))!.url)).bytes.equals(original)).toBe(true);
});

test('the copy of a video for platforms has no location data', async () => {
  const original = await aVideo({ location: '+48.1351+011.5820/' });
  const id = await stored(original);
  expect((await media(id))?.facts?.hasLocation).toBe(true);
  const { bytes } = await download((await sign(id)).publicUrl);
  const [before, after] = [await streamsOf(original), await streamsOf(bytes)];
  expect(JSON.stringify(before.format.tags)).toContain('48.1351');
  expect(bytes.includes('48.1351')).toBe(false);
  expect(after.video).toMatchObject({ codec_name: before.video!.codec_name, width: 128, height: 96 });
  expect(after.audio).toMatchObject({ codec_name: 'aac' });
});

test('an image within bounds: padded to a ratio, transparent parts filled, no metadata', async () => {
  const clear = await sharp({ create: { width: 300, height: 900, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();
  const { derivative, bytes } = await made(await stored(clear), {
    mimeType: 'image/jpeg',
    minRatio: 0.8,
    maxHeight: 500,
    background: '#00ff00',
  });
  expect(derivative).toMatchObject({ mimeType: 'image/jpeg', width: 400, height: 500 });
  const { width, height, exif, space, hasAlpha } = await sharp(bytes).metadata();
  expect({ width, height, exif, space, hasAlpha }).toEqual({ width: 400, height: 500, exif: undefined, space: 'srgb', hasAlpha: false });
  const [red, green, blue] = (await sharp(bytes).raw().toBuffer()).subarray(0, 3);
  expect(red! < 5 && green! > 250 && blue! < 5).toBe(true);
});

test('an image of a maximum size in bytes', async () => {
  const { bytes } = await made(await stored(await aPng(1500, 1000)), { mimeType: 'image/jpeg', maxBytes: 60_000 });
  expect(bytes.length).toBeLessThanOrEqual(60_000);
  expect((await sharp(bytes).metadata()).width).toBeGreaterThan(300);
});

test('an image that cannot be fitted fails with an error detail', async () => {
  const { status, failure } = await make(await stored(await aPng(400, 300)), { mimeType: 'image/png', maxBytes: 1_000, minWidth: 300 });
  expect({ status, failure }).toMatchObject({
    status: 'MEDIA_STATUS_FAILED',
    failure: { code: 'invalid_value', detail: expect.stringContaining('limits') },
  });
});

test('a video within bounds: H.264 and AAC, upright, padded, with a lower frame rate and the index at the start', async () => {
  const original = await aVideo({ size: '320x240', rotation: 90, location: '+48.1351+011.5820/' });
  const recipe = { mimeType: 'video/mp4', minRatio: 1, maxRatio: 1, maxWidth: 200, maxFrameRate: 15, maxBitRate: 500_000 };
  const { derivative, bytes } = await made(await stored(original), recipe);
  expect(derivative).toMatchObject({ width: 200, height: 200 });
  expect(Math.abs((derivative.durationMs ?? 0) - 1000)).toBeLessThan(200);
  const { format, video, audio } = await streamsOf(bytes);
  expect(video).toMatchObject({ codec_name: 'h264', width: 200, height: 200, avg_frame_rate: '15/1' });
  expect(video).not.toHaveProperty('side_data_list');
  expect(audio).toMatchObject({ codec_name: 'aac' });
  expect(Object.keys(format.tags ?? {}).filter((tag) => /location/.test(tag))).toEqual([]);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
});

test('a video of a maximum size in bytes', async () => {
  const original = await aVideo({ size: '640x480', seconds: 3 });
  expect(original.length).toBeGreaterThan(400_000);
  const { bytes } = await made(await stored(original), { mimeType: 'video/mp4', maxBytes: 200_000 });
  expect(bytes.length).toBeLessThanOrEqual(200_000);
});

test('a GIF becomes a video; a frame of a video becomes an image', async () => {
  const frames = Buffer.concat(Array.from({ length: 10 }, (_, index) => Buffer.alloc(40 * 30 * 3, 20 * index)));
  const gif = await sharp(frames, { raw: { width: 40, height: 300, channels: 3, pageHeight: 30 } })
    .gif({ delay: 100 })
    .toBuffer();
  expect((await made(await stored(gif), { mimeType: 'video/mp4' })).derivative).toMatchObject({ width: 40, height: 30 });
  const video = await stored(await aVideo());
  const [start, later] = [await made(video, { mimeType: 'image/png' }), await made(video, { mimeType: 'image/png', frameAtMs: 800 })];
  expect(later.derivative).toMatchObject({ width: 128, height: 96 });
  expect(later.bytes.equals(start.bytes)).toBe(false);
});

test('twenty concurrent requests make it once, and other media with the same bytes reuse it', async () => {
  const bytes = await aJpeg(640, 480);
  const id = await stored(bytes);
  const recipe = { mimeType: 'image/jpeg', maxWidth: 123 };
  const all = await Promise.all(Array.from({ length: 20 }, () => made(id, recipe)));
  expect(new Set(all.map(({ derivative }) => derivative.publicUrl.split('?')[0]!.split('/')[4])).size).toBe(1);
  expect(await derivatives().find({ media_id: id, 'recipe.max_width': 123 }).toArray()).toMatchObject([{ attempts: 1, status: 'ready' }]);

  const other = await stored(bytes);
  await made(other, recipe);
  const rows = await derivatives().find({ 'recipe.max_width': 123 }).toArray();
  expect(rows).toHaveLength(2);
  expect(rows[0]!.blob_id).toBe(rows[1]!.blob_id);
});

test('another business or organization cannot make derivatives', async () => {
  const id = await stored(await aJpeg());
  const recipe = DerivativeRecipe.fromPartial({ mimeType: 'image/jpeg', maxWidth: 50 });
  for (const foreign of [aCall({ businessId: newId() }), aCall({ organizationId: newId() })]) {
    const request = library.client.makeDerivative({ mediaId: id, recipe, validForSeconds: 3600 }, { call: foreign });
    await expect(request).rejects.toMatchObject({ code: 'resource_not_found' });
  }
  const nonsense = library.client.makeDerivative(
    { mediaId: id, recipe: { ...recipe, mimeType: 'video/mp4' }, validForSeconds: 3600 },
    { call: call() },
  );
  await expect(nonsense).rejects.toMatchObject({ code: 'invalid_value', param: 'recipe' });
});

test('derivatives are deleted with their media, or when they are unused, and their bytes are released', async () => {
  const id = await stored(await aJpeg(500, 300));
  const { derivative } = await made(id, { mimeType: 'image/jpeg', maxWidth: 77 });
  await eventually(async () => (await media(id))?.thumbnailUrl !== '');
  const [row] = await derivatives().find({ media_id: id, 'recipe.max_width': 77 }).toArray();
  const isFree = async (blobId: string) =>
    (await library.context.db.collection('blobs').findOne({ _id: blobId as never }))?.references === 0;

  expect(await isFree(row!.blob_id)).toBe(false);
  await sweepDerivatives(library.context, 60_000);
  expect((await download(derivative.publicUrl)).response.status).toBe(200);
  await derivatives().updateOne({ _id: row!._id }, { $set: { last_used_at: new Date(Date.now() - 120_000) } });
  await sweepDerivatives(library.context, 60_000);
  expect((await download(derivative.publicUrl)).response.status).toBe(404);
  expect(await isFree(row!.blob_id)).toBe(true);

  const thumbnail = (await media(id))!.thumbnailUrl;
  expect((await download(thumbnail)).response.status).toBe(200);
  await library.client.deleteMedia({ mediaId: id, operationId: newId(), expectedRevisions: [], force: false }, { call: call() });
  expect((await download(thumbnail)).response.status).toBe(404);
  expect(await derivatives().countDocuments({ media_id: id })).toBe(0);
});
