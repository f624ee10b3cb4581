import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// YouTube publishes with the last part of an upload, and the upload session proves whether it did.
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
/** More than one part, the last one incomplete; the sandbox's YouTube accepts bytes after the video. */
const longReel = Buffer.concat([reel, freeBox(9_000_000)]);

let publisher: TestPublisher;
let youtube: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  youtube = await publisher.connect('youtube');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const send = async (caption: string, options: Record<string, unknown> = {}, more: { bytes?: Buffer; firstComment?: string } = {}) => {
  const { bytes = reel, ...rest } = more;
  const [id = ''] = await publisher.publish({
    integration: youtube,
    caption,
    mediaIds: [publisher.library.addVideo(bytes)],
    options,
    ...rest,
  });
  return publisher.outcome(id);
};
const videosOf = async (caption: string) => (await publisher.sandbox.posts(caption)).filter(({ platform }) => platform === 'youtube');

test('a video in parts is published with its comment, and with the id that its statistics use', async () => {
  const event = await send('In parts', { tags: ['film'] }, { bytes: longReel, firstComment: 'First!' });
  const [video, ...more] = await videosOf('In parts');
  expect(more).toEqual([]);
  expect(video).toMatchObject({ state: 'live', text: 'In parts', comments: [{ text: 'First!' }] });
  expect(event).toMatchObject({
    status: 'DELIVERY_STATUS_SUCCESS',
    publishId: video?.id,
    postUrl: expect.stringContaining(`/www.youtube.com/watch?v=${video?.id}`) as string,
    attempts: 1,
  });
});

test.each<[string, Record<string, unknown> & { type: string }]>([
  ['is missing', { type: 'drop' }],
  ['arrived, but its response was lost', { type: 'accept_then_drop' }],
  ['got the response of a proxy', { type: 'html', status: 502, apply: 'after' }],
])('an upload continues when a part in the middle %s', async (caption, fault) => {
  await publisher.sandbox.fault('youtube.upload_part', fault);
  expect(await send(caption, {}, { bytes: longReel })).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await videosOf(caption)).toMatchObject([{ state: 'live' }]);
});

test.each<[string, Record<string, unknown> & { type: string }, number]>([
  ['is not sent again when only its response is lost', { type: 'accept_then_drop' }, 1],
  ['is not sent again when a proxy responds instead', { type: 'html', status: 502, apply: 'after' }, 1],
  ['is sent again when YouTube did not receive it', { type: 'drop' }, 2],
  ['is sent again when a proxy rejected it', { type: 'html', status: 403, apply: 'before' }, 2],
  ['is sent with a new upload when YouTube no longer knows the old one', { type: 'html', status: 404, apply: 'before' }, 2],
])('the last part, which publishes, %s', async (caption, fault, attempts) => {
  await publisher.sandbox.fault('youtube.upload_last_part', fault);
  expect(await send(caption)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts });
  expect(await videosOf(caption)).toHaveLength(1);
});

test('a video that YouTube rejects fails with the reason', async () => {
  await publisher.sandbox.fault('youtube.upload_last_part', { type: 'processing_error', message: 'copyright' });
  expect(await send('Not ours')).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'media_failed',
    errorMessage: 'YouTube rejected the video: copyright.',
  });
});

test('a comment on a video for kids is left out, with a warning', async () => {
  const { deliveryId, status } = await send('For kids', { made_for_kids: true }, { firstComment: 'First!' });
  expect(status).toBe('DELIVERY_STATUS_SUCCESS');
  expect(await publisher.db.collection<{ _id: string; warnings: string[] }>('deliveries').findOne({ _id: deliveryId })).toMatchObject({
    warnings: ['Add first comment: A video that is made for kids cannot have comments.'],
  });
});

test('an access token that expires during the upload is refreshed', async () => {
  await publisher.sandbox.fault('youtube.start_upload', { type: 'revoked_token' });
  expect(await send('Refreshed')).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await publisher.sandbox.exchanges('youtube.refresh_token')).not.toEqual([]);
});

/** An MP4 box without content. */
function freeBox(sizeBytes: number): Buffer {
  const box = Buffer.alloc(sizeBytes);
  box.writeUInt32BE(sizeBytes, 0);
  box.write('free', 4, 'latin1');
  return box;
}
