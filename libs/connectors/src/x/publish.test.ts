import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, aVideo } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { conversations } from './test/conversations.ts';
import { xFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { x } from './index.ts';

let platform: ScriptedPlatform;
const run = async ({ responses, content }: Flow) => {
  platform = await scriptedPlatform(responses);
  return runToEnd(x, content, aCall(platform.client.http('x', deadlineIn(10_000))));
};
const sent = () =>
  platform.received.map(({ method, url, query, body, headers }) => {
    expect(headers.authorization).toBe('Bearer token-of-the-account');
    return [method, url.replace('https://api.x.com/2', ''), ...(Object.keys(query).length > 0 ? [query] : []), body];
  });

afterEach(() => platform.close());

test('a text is published with a reply as its first comment', async () => {
  const { published, steps } = await run(xFlows.text);
  expect(published).toEqual({ publishId: '9', postUrl: 'https://x.com/acme/status/9' });
  expect(steps).toEqual(['commit:create_post', 'follow_up:add_first_comment']);
  expect(sent()).toEqual([
    ['POST', '/tweets', { text: 'Hello world' }],
    ['POST', '/tweets', { text: 'First!', reply: { in_reply_to_tweet_id: '9' } }],
  ]);
});

test('reply settings are sent', async () => {
  await run({ ...xFlows.text, content: aContent({ options: { reply_settings: 'following' } }) });
  expect(sent()).toEqual([['POST', '/tweets', { text: 'Hello world', reply_settings: 'following' }]]);
});

test('the link is appended to the text if the options say so; labels and a community are sent', async () => {
  await run(xFlows.link);
  const labels = { reply_settings: 'verified', made_with_ai: true, paid_partnership: false, community_id: '1146654567674912769' };
  expect(sent()).toEqual([['POST', '/tweets', { text: 'Hello world\nhttps://example.com/a', ...labels }]]);
});

test.each([
  ['is not said', { link: 'https://example.com/a' }, 'Hello world'],
  [
    'is in the text',
    { caption: 'See https://example.com/a', link: 'https://example.com/a', options: { append_link: true } },
    'See https://example.com/a',
  ],
  ['is all there is', { caption: '', link: 'https://example.com/a', options: { append_link: true } }, 'https://example.com/a'],
])('the text of a post whose link %s', async (_what, content, text) => {
  await run({ ...xFlows.link, content: aContent(content) });
  expect(sent()).toEqual([['POST', '/tweets', { text }]]);
});

test('a poll is sent', async () => {
  await run(xFlows.poll);
  expect(sent()).toEqual([['POST', '/tweets', { text: 'Hello world', poll: { options: ['Rye', 'Wheat'], duration_minutes: 60 } }]]);
});

test('a small image is uploaded in one request, a large one in parts, both with their alt text', async () => {
  await run(xFlows.images);
  expect(sent()).toEqual([
    ['POST', '/media/upload', { media_category: 'tweet_image', media: { type: 'image/jpeg', size: 1_000 } }],
    ['POST', '/media/metadata', { id: '70', metadata: { alt_text: { text: 'Small' } } }],
    ['POST', '/media/upload/initialize', { media_type: 'image/png', total_bytes: 3_000_000, media_category: 'tweet_image' }],
    ['POST', '/media/upload/71/append', { segment_index: '0', media: { type: 'image/png', size: 2_097_152 } }],
    ['POST', '/media/upload/71/append', { segment_index: '1', media: { type: 'image/png', size: 902_848 } }],
    ['POST', '/media/upload/71/finalize', undefined],
    ['POST', '/media/metadata', { id: '71', metadata: { alt_text: { text: 'Large' } } }],
    ['POST', '/tweets', { text: 'Hello world', media: { media_ids: ['70', '71'] } }],
  ]);
});

test('a video is processed before the post is created', async () => {
  await run(xFlows.video);
  const status = ['GET', '/media/upload', { command: 'STATUS', media_id: '71' }, undefined];
  expect(sent()).toEqual([
    ['POST', '/media/upload/initialize', { media_type: 'video/mp4', total_bytes: 2_097_153, media_category: 'tweet_video' }],
    ['POST', '/media/upload/71/append', { segment_index: '0', media: { type: 'video/mp4', size: 2_097_152 } }],
    ['POST', '/media/upload/71/append', { segment_index: '1', media: { type: 'video/mp4', size: 1 } }],
    ['POST', '/media/upload/71/finalize', undefined],
    status,
    status,
    ['POST', '/tweets', { text: 'Hello world', media: { media_ids: ['71'] } }],
  ]);
});

test('an animated image has its own media category', async () => {
  await run(xFlows.gif);
  expect(sent()[0]).toEqual([
    'POST',
    '/media/upload/initialize',
    { media_type: 'image/gif', total_bytes: 1_000, media_category: 'tweet_gif' },
  ]);
  expect(sent().at(-1)).toEqual(['POST', '/tweets', { text: '', media: { media_ids: ['71'] } }]);
});

test('a video is read part by part, and each byte once', async () => {
  const reads: [number, number][] = [];
  const video = aVideo({
    sizeBytes: 2 * 1024 * 1024 + 1,
    read: async (from, to) => (reads.push([from, to]), Buffer.alloc(to - from + 1)),
  });
  await run({ ...xFlows.video, content: aContent({ media: [video] }) });
  expect(reads).toEqual([
    [0, 2_097_151],
    [2_097_152, 2_097_152],
  ]);
});

test('a video that X cannot process fails the delivery before anything is posted', async () => {
  const failed = {
    json: { data: { id: '71', processing_info: { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Bad codec' } } } },
  };
  const responses = [...xFlows.video.responses.slice(0, 3), failed];
  await expect(run({ ...xFlows.video, responses })).rejects.toMatchObject({ class: 'media_processing_failed', message: 'Bad codec' });
});

test.each([
  ['part', 'append_part', { parts: 1 }],
  ['finalize', 'finalize_upload', { parts: 2 }],
])('an upload whose %s X rejects, because it has it already, starts over a few times', async (_what, name, progress) => {
  const rejection = { status: 400, json: conversations.rejection('segment_index 1 was already received.') };
  const { content } = xFlows.video;
  platform = await scriptedPlatform([rejection, rejection]);
  const call = aCall(platform.client.http('x', deadlineIn(10_000)));
  const stepFrom = (state: object) => {
    const next = x.publish.next(content, { uploads: [state] });
    if (!('step' in next)) throw new Error('no step');
    return next.step;
  };
  expect(stepFrom({ id: '71', ...progress }).name).toBe(name);
  const failure = await stepFrom({ id: '71', ...progress, restarts: 2 })
    .run(call)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ class: 'transient', effect: 'rejected', retryFrom: { uploads: [{ restarts: 3 }] } });
  expect(stepFrom({ restarts: 3 }).name).toBe('initialize_upload');
  await expect(stepFrom({ id: '71', ...progress, restarts: 3 }).run(call)).rejects.toMatchObject({ class: 'validation' });
});
