import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// A draft goes to the inbox of the account. It has no audience yet: the owner of the account chooses it in the app.
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
const draft = { post_mode: 'draft' };

let publisher: TestPublisher;
let tiktok: Integration;

beforeAll(async () => {
  publisher = await startPublisher();
  tiktok = await publisher.connect('tiktok');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const begin = async (caption: string, mediaId: string, options: Record<string, unknown> = draft) => {
  const [id = ''] = await publisher.publish({ integration: tiktok, caption, mediaIds: [mediaId], options });
  return id;
};
const send = async (caption: string, mediaId: string) => publisher.outcome(await begin(caption, mediaId));

test('the login requests the scope for drafts', () => {
  expect(tiktok.scopes).toContain('video.upload');
  expect(tiktok.capabilities).toContainEqual({ name: 'drafts', available: true, missingScopes: [] });
});

test.each([
  ['an image', () => publisher.library.addImage(), (caption: string) => caption],
  // TikTok accepts no texts with it.
  ['a video', async () => publisher.library.addVideo(reel), () => ''],
])('the draft of %s is a success with the warning that it is not public yet', async (caption, media, words) => {
  const event = await send(caption, await media());
  expect((await publisher.sandbox.posts(words(caption))).map(({ state }) => state)).toEqual(['unpublished']);
  expect(event).toMatchObject({
    status: 'DELIVERY_STATUS_SUCCESS',
    publishId: expect.stringMatching(/_inbox_/) as string,
    postUrl: undefined,
    attempts: 1,
    warnings: [expect.stringMatching(/inbox.*not public until its owner/) as string],
  });
});

test('the last part of a video, which completes the draft, is not sent again when its response is lost', async () => {
  await publisher.sandbox.fault('tiktok.upload_chunk', { type: 'accept_then_drop' });
  const event = await send('Lost', publisher.library.addVideo(reel));
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, warnings: [expect.any(String)] });
});

test('a full inbox delays drafts for a day, and no posts', async () => {
  const full = { error: { code: 'spam_risk_too_many_pending_share', message: 'Too many drafts wait.', log_id: '1' }, data: {} };
  await publisher.sandbox.fault('tiktok.init_photos', { type: 'status', status: 403, body: full, apply: 'before' });
  const id = await begin('One too many', await publisher.library.addImage());
  const waiting = await eventually(() => publisher.eventsOf(id).find((event) => event.waiting?.reason === 'rate_limited'));
  expect(waiting.waiting?.until?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  const post = await begin('Posted meanwhile', await publisher.library.addImage(), { privacy_level: 'SELF_ONLY' });
  expect(await publisher.outcome(post)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', warnings: [] });
});
