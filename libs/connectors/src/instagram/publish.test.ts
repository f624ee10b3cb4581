import { deadlineIn } from '@fanfare/runtime';
import { aCall } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { instagramFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { PlatformFailure } from '../calls/failure.ts';
import { instagram } from './index.ts';
import { MAX_REFETCHES } from '../calls/refetching.ts';

let platform: ScriptedPlatform;
const start = async (flow: Pick<Flow, 'responses'>) => {
  platform = await scriptedPlatform(flow.responses);
  return aCall(platform.client.http('instagram', deadlineIn(10_000)));
};
const run = async (flow: Flow) => runToEnd(instagram, flow.content, await start(flow));
const sent = () =>
  platform.received.map(({ method, url, query: { appsecret_proof, ...query }, body }) => {
    expect(appsecret_proof).toMatch(/^[0-9a-f]{64}$/);
    return [method, url.replace('https://graph.facebook.com/v25.0', ''), query, body];
  });

afterEach(() => platform.close());

const poll = (id: string) => ['GET', `/${id}`, { fields: 'status_code,status' }, undefined];
const commit = (id: string) => ['POST', '/100/media_publish', { creation_id: id }, undefined];
const permalink = ['GET', '/m1', { fields: 'permalink,shortcode' }, undefined];

test('an image is published: container, polling, publish, permalink, comment', async () => {
  const { published } = await run(instagramFlows.image);
  expect(published).toEqual({ publishId: 'm1', postUrl: 'https://www.instagram.com/p/abc/' });
  expect(sent()).toEqual([
    ['POST', '/100/media', {}, { image_url: 'https://media.example.com/1.jpg', alt_text: 'A red door', caption: 'Hello world' }],
    poll('c1'),
    poll('c1'),
    commit('c1'),
    permalink,
    ['POST', '/m1/comments', {}, { message: 'First!' }],
  ]);
});

test('collaborators are sent, and a reel can be left out of the feed', async () => {
  const options = { collaborators: ['@acme.bread', 'mill'], share_to_feed: false };
  await run({ ...instagramFlows.reel, content: { ...instagramFlows.reel.content, options } });
  expect(sent()[0]?.[3]).toMatchObject({ collaborators: '["acme.bread","mill"]', share_to_feed: 'false' });
});

test('a single video is a reel', async () => {
  await run(instagramFlows.reel);
  const reel = {
    media_type: 'REELS',
    video_url: 'https://media.example.com/1.mp4',
    cover_url: 'https://media.example.com/cover.jpg',
    caption: 'Hello world',
  };
  expect(sent()[0]).toEqual(['POST', '/100/media', {}, reel]);
});

test('the container of a carousel is created when all its items are ready', async () => {
  await run(instagramFlows.carousel);
  expect(sent()).toEqual([
    ['POST', '/100/media', {}, { image_url: 'https://media.example.com/1.jpg', alt_text: 'One', is_carousel_item: 'true' }],
    ['POST', '/100/media', {}, { media_type: 'VIDEO', video_url: 'https://media.example.com/1.mp4', is_carousel_item: 'true' }],
    poll('c1'),
    poll('c2'),
    poll('c2'),
    ['POST', '/100/media', {}, { media_type: 'CAROUSEL', children: 'c1,c2', caption: 'Hello world' }],
    poll('c3'),
    commit('c3'),
    permalink,
  ]);
});

test('user tags, location and collaborators are sent with an image', async () => {
  await run(instagramFlows.labelledImage);
  expect(sent()[0]?.[3]).toEqual({
    image_url: 'https://media.example.com/1.jpg',
    caption: 'Hello world',
    user_tags: '[{"username":"baker","x":0.5,"y":0.25}]',
    collaborators: '["acme.bread","mill"]',
    location_id: '7640348500',
    is_ai_generated: 'true',
  });
});

test('options of reels are sent; a cover image takes precedence over a frame', async () => {
  await run(instagramFlows.trialReel);
  const fields = {
    ...{ media_type: 'REELS', video_url: 'https://media.example.com/1.mp4', caption: 'Hello world', user_tags: '[{"username":"baker"}]' },
    ...{ share_to_feed: 'false', thumb_offset: '1500', audio_name: 'Kneading', trial_params: '{"graduation_strategy":"MANUAL"}' },
  };
  expect(sent()[0]?.[3]).toEqual(fields);
  await platform.close();
  await run({ ...instagramFlows.reel, content: { ...instagramFlows.reel.content, options: { thumb_offset: 1_500 } } });
  expect(sent()[0]?.[3]).toHaveProperty('cover_url');
  expect(sent()[0]?.[3]).not.toHaveProperty('thumb_offset');
});

test('user tags of a carousel are sent with their image, the location with the carousel', async () => {
  await run(instagramFlows.taggedCarousel);
  expect(sent().flatMap(([method, path, , body]) => (method === 'POST' && path === '/100/media' ? [body] : []))).toEqual([
    { image_url: 'https://media.example.com/1.jpg', is_carousel_item: 'true' },
    { image_url: 'https://media.example.com/1.jpg', user_tags: '[{"username":"baker","x":0,"y":1}]', is_carousel_item: 'true' },
    { media_type: 'CAROUSEL', children: 'c1,c2', location_id: '7640348500', caption: 'Hello world' },
  ]);
});

test('a story is an image or a video, with user tags and without a caption', async () => {
  await run(instagramFlows.story);
  const tagged = (...user_tags: object[]) => ({ media_type: 'STORIES', user_tags: JSON.stringify(user_tags) });
  expect(sent()[0]?.[3]).toEqual({ ...tagged({ username: 'baker' }), image_url: 'https://media.example.com/1.jpg' });
  await platform.close();
  await run(instagramFlows.videoStory);
  expect(sent()[0]?.[3]).toEqual({ ...tagged({ username: 'baker', x: 0.5, y: 1 }), video_url: 'https://media.example.com/1.mp4' });
});

test('images are polled often, videos less often', async () => {
  const inProgress = { json: { status_code: 'IN_PROGRESS' } };
  const waitOf = async (flow: Flow, polls: number) => {
    const call = await start({ responses: [inProgress] });
    const next = instagram.publish.next(flow.content, { container: 'c1', polls });
    const waitMs = 'step' in next ? (await next.step.run(call)).waitMs : undefined;
    await platform.close();
    return waitMs;
  };
  const waits = [
    await waitOf(instagramFlows.image, 0),
    await waitOf(instagramFlows.image, 1),
    await waitOf(instagramFlows.reel, 0),
    await waitOf(instagramFlows.reel, 6),
  ];
  expect(waits).toEqual([1_000, 5_000, 10_000, 60_000]);
  await start({ responses: [] });
});

const failureOf = async (state: object, response: Flow['responses'][number]) => {
  const next = instagram.publish.next(instagramFlows.image.content, { ...state });
  if (!('step' in next)) throw new Error('nothing to do');
  return next.step.run(await start({ responses: [response] })).then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as PlatformFailure,
  );
};

test.each([
  ['its image could not be fetched', {}, { status: 400, json: { error: { code: 9004, error_subcode: 2207052, message: 'no' } } }],
  [
    'it was lost before the commit',
    { container: 'c1', ready: true },
    { status: 400, json: { error: { code: 24, error_subcode: 2207008 } } },
  ],
  ['it expired', { container: 'c1' }, { json: { status_code: 'EXPIRED' } }],
  [
    'it failed for a passing reason',
    { container: 'c1' },
    { json: { status_code: 'ERROR', status: 'Error: 2207053 unknown upload error' } },
  ],
])('a container is created again for some minutes when %s', async (_why, state, response) => {
  const first = await failureOf(state, response);
  expect(first).toMatchObject({ class: 'transient', effect: 'rejected', retryAfterMs: 1_000, retryFrom: { rebuilds: 1 } });
  await platform.close();
  const later = await failureOf({ ...state, rebuilds: 5 }, response);
  expect(later).toMatchObject({ class: 'transient', retryAfterMs: 32_000, retryFrom: { rebuilds: 6 } });
  await platform.close();
  const last = await failureOf({ ...state, rebuilds: MAX_REFETCHES }, response);
  expect(['validation', 'media_processing_failed']).toContain(last.class);
  expect(last.retryFrom).toBeUndefined();
});

test('a container that failed permanently fails the delivery with its own message', async () => {
  const failure = await failureOf({ container: 'c1' }, { json: { status_code: 'ERROR', status: 'Error: 2207026 unsupported video' } });
  expect(failure).toMatchObject({
    class: 'media_processing_failed',
    message: 'Error: 2207026 unsupported video',
    detail: { subcode: 2207026 },
  });
});
