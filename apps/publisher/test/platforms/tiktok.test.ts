import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// TikTok publishes by itself when it has everything, and reports only later if it did not.
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
const options = { privacy_level: 'PUBLIC_TO_EVERYONE' };

let publisher: TestPublisher;
let tiktok: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  tiktok = await publisher.connect('tiktok');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const sendVideo = async (caption: string, bytes: Buffer = reel) => {
  const [id = ''] = await publisher.publish({ integration: tiktok, caption, mediaIds: [publisher.library.addVideo(bytes)], options });
  return publisher.outcome(id);
};
const sendPhoto = async (caption: string, given: Record<string, unknown> | undefined = options) => {
  const mediaIds = [await publisher.library.addImage()];
  const [id = ''] = await publisher.publish({ integration: tiktok, caption, mediaIds, ...(given && { options: given }) });
  return publisher.outcome(id);
};
const publishedOf = async (caption: string) => (await publisher.sandbox.posts(caption)).filter(({ state }) => state === 'live');

test.each([
  ['a video', sendVideo],
  ['a photo', sendPhoto],
])('%s is published, with the id that its statistics use', async (caption, send) => {
  const event = await send(caption);
  const [post] = await publishedOf(caption);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.id, attempts: 1 });
  expect(event.postUrl).toContain(`/www.tiktok.com/@fanfare_demo/video/${post?.id}`);
});

test('a post without an audience is not sent', async () => {
  expect(await sendPhoto('Not chosen', {})).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'validation_failed',
    errorMessage: expect.stringContaining('options.privacy_level: privacy_level is required') as string,
  });
  expect(await publisher.sandbox.posts('Not chosen')).toEqual([]);
});

describe('a post that TikTok rejects after it accepted the upload', () => {
  const givingUp = (message: string, times: number | null = 1) =>
    publisher.sandbox.fault('tiktok.upload_chunk', { type: 'processing_error', message }, times);

  test('is sent again once, if that may help', async () => {
    await givingUp('internal');
    const event = await sendVideo('Given up once');
    const [post, ...more] = await publishedOf('Given up once');
    expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.id, attempts: 2 });
    expect(more).toEqual([]);

    await givingUp('internal', null);
    expect(await sendVideo('Given up always')).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'media_failed', attempts: 2 });
  });

  test.each([
    ['frame_rate_check_failed', 'media_failed'],
    ['spam_risk_text', 'validation_failed'],
    ['spam_risk_user_banned_from_posting', 'permission_denied'],
  ])('for %s fails with %s', async (reason, errorType) => {
    await givingUp(reason);
    const event = await sendVideo(reason);
    expect(event).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType, attempts: 1 });
    expect(event.errorMessage).toContain(reason);
    expect(event.publishId).toBeFalsy();
  });
});

test('a part of a video that arrived although its response was lost is not sent again: the upload continues after it', async () => {
  await publisher.sandbox.fault('tiktok.upload_chunk', { type: 'accept_then_drop' });
  const event = await sendVideo('In parts', Buffer.concat([reel, Buffer.alloc(16_000_000)]));
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publishedOf('In parts')).toHaveLength(1);
  const taken = (await publisher.sandbox.exchanges('tiktok.upload_chunk', '5242880')).map(({ status }) => status);
  expect(taken).toEqual([206, 416, 206]);
});

describe('the last part of a video, which publishes it,', () => {
  test.each<[string, Record<string, unknown> & { type: string }, number]>([
    ['is not sent again when only its response is lost', { type: 'accept_then_drop' }, 1],
    ['is not sent again when a proxy responds instead', { type: 'html', status: 502, apply: 'after' }, 1],
    ['is sent again when TikTok did not receive it', { type: 'drop' }, 2],
    ['is sent again when a proxy rejected it', { type: 'html', status: 403, apply: 'before' }, 2],
    ['is sent with a new upload when TikTok no longer knows the old one', { type: 'status', status: 403, apply: 'before' }, 2],
  ])('%s', async (caption, fault, attempts) => {
    await publisher.sandbox.fault('tiktok.upload_chunk', fault);
    expect(await sendVideo(caption)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts });
    expect(await publishedOf(caption)).toHaveLength(1);
  });

  test('is sent with a new upload when the old one loses it twice', async () => {
    await publisher.sandbox.fault('tiktok.upload_chunk', { type: 'drop' }, 2);
    expect(await sendVideo('Lost twice')).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 3 });
    expect(await publishedOf('Lost twice')).toHaveLength(1);
    expect(await publisher.sandbox.exchanges('tiktok.init_video', 'Lost twice')).toHaveLength(2);
  });
});

test('photos whose response is lost are found by their text, of which TikTok lists the beginning', async () => {
  const caption = `Lost photos${' of bread and coffee'.repeat(20)}`;
  await publisher.sandbox.fault('tiktok.init_photos', { type: 'accept_then_drop' });
  const event = await sendPhoto(caption);
  const [post, ...more] = await publishedOf(caption);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: post?.id, attempts: 1 });
  expect(more).toEqual([]);
});
