import { createHmac } from 'node:crypto';
import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anApp, aReel } from '../../test/a-content.ts';
import { facebookFlows } from './test/flows.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { walk } from '../../test/conversations/walk.ts';
import type { PlatformFailure } from '../calls/failure.ts';
import { facebook } from './index.ts';

const graph = 'https://graph.facebook.com/v25.0';
const proof = createHmac('sha256', anApp.clientSecret).update('token-of-the-account').digest('hex');

let platform: ScriptedPlatform;
const run = async ({ responses, content }: Flow) => {
  platform = await scriptedPlatform(responses);
  return runToEnd(facebook, content, aCall(platform.client.http('facebook', deadlineIn(10_000))));
};
const sent = () => platform.received.map(({ method, url, body }) => [method, url.replace(graph, ''), body]);

afterEach(() => platform.close());

test('a text is one request; every request is signed, and no URL contains a token', async () => {
  const { published } = await run(facebookFlows.text);
  expect(published).toEqual({ publishId: '100_7', postUrl: 'https://www.facebook.com/acme/posts/7' });
  expect(sent()).toEqual([
    ['POST', '/100/feed', { message: 'Hello world', published: true }],
    ['GET', '/100_7', undefined],
  ]);
  expect(platform.received.map(({ query }) => query)).toEqual([
    { appsecret_proof: proof },
    { fields: 'permalink_url', appsecret_proof: proof },
  ]);
  for (const { headers } of platform.received) expect(headers.authorization).toBe('Bearer token-of-the-account');
});

test('a link is sent for its preview, and the first comment after the post', async () => {
  await run(facebookFlows.link);
  expect(sent()).toEqual([
    ['POST', '/100/feed', { message: 'Hello world', link: 'https://example.com/a', published: true }],
    ['GET', '/100_7', undefined],
    ['POST', '/100_7/comments', { message: 'First!' }],
  ]);
});

test('a single photo is published directly, and its publish id is that of its post', async () => {
  const { published } = await run(facebookFlows.photo);
  expect(published.publishId).toBe('100_7');
  const photo = { url: 'https://media.example.com/1.jpg', message: 'Hello world', published: true, alt_text_custom: 'A red door' };
  expect(sent()[0]).toEqual(['POST', '/100/photos', photo]);
});

test('several photos are uploaded unpublished and attached in order', async () => {
  const { steps } = await run(facebookFlows.photos);
  expect(steps).toEqual(['prepare:upload_photo', 'prepare:upload_photo', 'commit:publish_photos', 'follow_up:read_permalink']);
  expect(sent().slice(0, 3)).toEqual([
    ['POST', '/100/photos', { url: 'https://media.example.com/1.jpg', published: false }],
    ['POST', '/100/photos', { url: 'https://media.example.com/2.jpg', published: false, alt_text_custom: 'Two' }],
    ['POST', '/100/feed', { message: 'Hello world', attached_media: [{ media_fbid: '55' }, { media_fbid: '56' }] }],
  ]);
});

test('Facebook fetches a landscape video; it is polled until it is ready, and gets its cover', async () => {
  const { published } = await run(facebookFlows.video);
  expect(published).toEqual({ publishId: '900', postUrl: 'https://www.facebook.com/acme/videos/900/' });
  const video = { file_url: 'https://media.example.com/1.mp4', description: 'Hello world', title: 'Our film', published: true };
  expect(sent()).toEqual([
    ['POST', '/100/videos', video],
    ['GET', '/900', undefined],
    ['GET', '/900', undefined],
    ['POST', '/900/thumbnails', { source: { type: 'image/jpeg', size: 300 }, is_preferred: 'true' }],
  ]);
});

test('a reel is uploaded in its phases; the comment goes to the post if the video does not accept it', async () => {
  const { published } = await run(facebookFlows.reel);
  expect(published).toEqual({ publishId: '900', postUrl: 'https://www.facebook.com/reel/900/' });
  expect(sent()).toEqual([
    ['POST', '/100/video_reels', { upload_phase: 'start' }],
    ['POST', 'https://rupload.facebook.com/video-upload/v25.0/900', undefined],
    ['GET', '/900', undefined],
    ['GET', '/900', undefined],
    [
      'POST',
      '/100/video_reels',
      { upload_phase: 'finish', video_id: '900', video_state: 'PUBLISHED', description: 'Hello world', title: 'Our reel' },
    ],
    ['GET', '/900', undefined],
    ['POST', '/900/comments', { message: 'First!' }],
    ['POST', '/100_7/comments', { message: 'First!' }],
  ]);
  expect(platform.received[1]).toMatchObject({
    query: {},
    headers: { authorization: 'OAuth token-of-the-account', file_url: 'https://media.example.com/1.mp4' },
  });
});

test('a reel gets its cover before it is published, and its AI label when it is published', async () => {
  const { steps } = await run(facebookFlows.labelledReel);
  expect(steps.indexOf('prepare:set_cover')).toBe(steps.indexOf('commit:publish_reel') - 1);
  expect(sent()[3]).toEqual(['POST', '/900/thumbnails', { source: { type: 'image/jpeg', size: 300 }, is_preferred: 'true' }]);
  expect(sent()[4]?.[2]).toMatchObject({ upload_phase: 'finish', video_id: '900', is_ai_generated: true });
});

test('a video that could be a reel is published as a video if the options say so', async () => {
  await run(facebookFlows.uprightVideo);
  expect(sent()[0]?.slice(0, 2)).toEqual(['POST', '/100/videos']);
});

test.each([
  [15, 'publish_video'],
  [23.976, 'start_reel'],
  [60, 'start_reel'],
  [120, 'publish_video'],
])('a vertical video of %d frames per second begins with %s', (frameRate, name) => {
  expect(facebook.publish.next(aContent({ media: [aReel({ frameRate })] }), {})).toMatchObject({ step: { name } });
});

test('a comment whose response was lost is not sent to another object', async () => {
  const { responses, content } = facebookFlows.reel;
  await expect(run({ name: '', content, responses: [...responses.slice(0, 6), { status: 500, json: {} }] })).rejects.toMatchObject({
    effect: 'unknown',
  });
  expect(platform.received).toHaveLength(7);
});

test('an upload URL on another host gets no token', async () => {
  const { content } = facebookFlows.reel;
  const responses = [{ json: { video_id: '900', upload_url: 'https://evil.example/video-upload' } }, { json: { success: true } }];
  await expect(run({ name: '', content, responses })).rejects.toMatchObject({ class: 'validation', effect: 'not_sent' });
  expect(platform.received).toHaveLength(1);
});

test('a video that fails after the commit fails the delivery', async () => {
  const { responses, content } = facebookFlows.video;
  const broken = {
    video_status: 'error',
    processing_phase: { status: 'error', errors: [{ code: 1363128, message: 'The video is too long' }] },
  };
  const failure = { class: 'media_processing_failed', message: 'The video is too long' };
  await expect(run({ name: '', content, responses: [...responses.slice(0, 1), { json: { status: broken } }] })).rejects.toMatchObject(
    failure,
  );
});

test('an image that Facebook cannot read after all retries is rejected', async () => {
  const rejection = { status: 400, json: { error: { message: 'Missing or invalid image file', code: 324, error_subcode: 2069019 } } };
  const { content } = facebookFlows.photo;
  let state = {};
  const failures: PlatformFailure[] = [];
  while (failures.at(-1)?.class !== 'validation') {
    const failure = (await walk(facebook, { content, responses: [rejection], from: state }).catch(
      (error: unknown) => error,
    )) as PlatformFailure;
    failures.push(failure);
    state = failure.retryFrom ?? {};
  }
  expect(failures.map((failure) => failure.class)).toEqual([...Array<string>(8).fill('transient'), 'validation']);
  const waitedMs = failures.reduce((sum, { retryAfterMs = 0 }) => sum + retryAfterMs, 0);
  expect(waitedMs).toBe(255_000);
});

test('a video that Facebook cannot fetch after the commit is published anew', async () => {
  const { responses, content } = facebookFlows.video;
  const status = {
    video_status: 'upload_failed',
    uploading_phase: { status: 'error', errors: [{ message: 'Unable to fetch video file' }] },
  };
  const flow = { name: '', content, responses: [...responses.slice(0, 1), { json: { status } }] };
  const refetch = { class: 'transient', effect: 'rejected', retryAfterMs: 1_000, retryFrom: { refetches: 1 } };
  await expect(run(flow)).rejects.toMatchObject(refetch);
  await platform.close();
  await expect(walk(facebook, { ...flow, from: { refetches: 8 } })).rejects.toMatchObject({
    class: 'media_processing_failed',
    message: 'Unable to fetch video file',
    retryFrom: undefined,
  });
});

test.each([
  ['its URL is sent', [{ status: 400, json: { error: { message: 'There was a problem', code: 6000, error_subcode: 1363030 } } }]],
  ['Facebook fetches it', [{ json: { success: true } }, { json: { status: { uploading_phase: { status: 'error' } } } }]],
])('a reel that Facebook cannot fetch when %s is uploaded anew, in another session', async (_when, responses) => {
  const { content, responses: all } = facebookFlows.reel;
  const flow = { name: '', content, responses: [...all.slice(0, 1), ...responses] };
  const refetch = { class: 'transient', effect: 'rejected', retryAfterMs: 1_000, retryFrom: { refetches: 1 } };
  await expect(run(flow)).rejects.toMatchObject(refetch);
  await platform.close();
  await expect(walk(facebook, { ...flow, from: { refetches: 8 } })).rejects.not.toMatchObject({ class: 'transient' });
});
