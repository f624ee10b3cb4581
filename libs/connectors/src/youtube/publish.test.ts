import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, aReel, aVideo } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { youtubeFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content } from '../connector.ts';
import { youtube } from './index.ts';

let platform: ScriptedPlatform;
const run = async ({ responses, content }: Pick<Flow, 'responses' | 'content'>) => {
  platform = await scriptedPlatform(responses);
  return runToEnd(youtube, content, aCall(platform.client.http('youtube', deadlineIn(10_000))));
};
const [start, created, uploaded, processed, comment] = youtubeFlows.short.responses as [
  ScriptedResponse,
  ScriptedResponse,
  ScriptedResponse,
  ScriptedResponse,
  ScriptedResponse,
];
const small = aContent({ media: [aReel()] });

afterEach(() => platform.close());

test('a small video is uploaded in one part, which publishes it', async () => {
  const { published, steps } = await run(youtubeFlows.short);
  expect(published).toEqual({ publishId: 'v1', postUrl: 'https://www.youtube.com/watch?v=v1' });
  expect(steps).toEqual([
    'prepare:start_upload',
    'commit:upload_last_part',
    'follow_up:await_processing',
    'follow_up:await_processing',
    'follow_up:add_first_comment',
  ]);
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://www.googleapis.com/upload/youtube/v3/videos',
      query: { uploadType: 'resumable', part: 'snippet,status', notifySubscribers: 'true' },
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-type': 'video/mp4',
        'x-upload-content-length': '1000',
      },
      body: {
        snippet: { title: 'Hello world', description: 'Hello world', categoryId: '22' },
        status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
      },
    },
    {
      method: 'PUT',
      url: 'https://www.googleapis.com/upload/youtube/v3/videos',
      query: { uploadType: 'resumable', upload_id: 'u1' },
      headers: { 'content-type': 'video/mp4', 'content-range': 'bytes 0-999/1000', 'content-length': '1000' },
    },
    { method: 'GET', url: 'https://www.googleapis.com/youtube/v3/videos', query: { part: 'status,processingDetails', id: 'v1' } },
    { method: 'GET' },
    {
      method: 'POST',
      url: 'https://www.googleapis.com/youtube/v3/commentThreads',
      query: { part: 'snippet' },
      body: { snippet: { videoId: 'v1', topLevelComment: { snippet: { textOriginal: 'First!' } } } },
    },
  ]);
  for (const { headers } of platform.received) expect(headers.authorization).toBe('Bearer token-of-the-account');
});

test('a large video is uploaded in parts of multiples of 256 KiB, and each byte is read once', async () => {
  const reads: [number, number][] = [];
  const { content } = youtubeFlows.parts;
  const [video] = content.media;
  const read = async (from: number, to: number) => (reads.push([from, to]), Buffer.alloc(to - from + 1));
  await run({ ...youtubeFlows.parts, content: { ...content, media: [{ ...video!, read }] } });
  expect(reads).toEqual([
    [0, 4_194_303],
    [4_194_304, 8_388_607],
    [8_388_608, 8_388_608],
  ]);
  expect(platform.received.slice(1, 4).map(({ headers }) => headers['content-range'])).toEqual(
    reads.map(([from, to]) => `bytes ${from}-${to}/8388609`),
  );
});

test('fields of the override are sent', async () => {
  await run(youtubeFlows.parts);
  expect(platform.received[0]?.body).toEqual({
    snippet: { title: 'Our film', description: 'Hello world', categoryId: '28', tags: ['film', 'our film'] },
    status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
  });
});

test('options are sent', async () => {
  await run(youtubeFlows.labelled);
  expect(platform.received[0]).toMatchObject({
    query: { notifySubscribers: 'false' },
    body: { snippet: { defaultLanguage: 'pt-BR' }, status: { containsSyntheticMedia: true } },
  });
});

test.each([
  ['the first line that says something', { caption: '\n \r\n  Hello  \r\nworld' }, 'Hello'],
  ['the override, over the caption', { caption: 'Hello', title: ' Ours ' }, 'Ours'],
  ['a long line, cut between words', { caption: `${'word '.repeat(30)}` }, `${'word '.repeat(19)}word…`],
  ['a hundred signs that count two code units each', { caption: '😀'.repeat(100) }, '😀'.repeat(100)],
] satisfies [string, Partial<Content>, string][])('the title is %s', async (_what, more, title) => {
  await run({ content: { ...small, ...more }, responses: [start, created, processed] });
  expect(platform.received[0]?.body).toMatchObject({ snippet: { title } });
});

test.each([
  ['neither a title nor a caption', { caption: ' \n' }, /platform_overrides\.title/],
  ['an image', { media: [aVideo({ type: 'image', mimeType: 'image/png' })] }, /must have a video/],
  ['a category that takes no videos', { options: { category_id: '44' } }, /options\.category_id: .* category 44/],
  ['an option that is none', { options: { privacy_status: 'secret' } }, /options\.privacy_status/],
] satisfies [string, Partial<Content>, RegExp][])('%s is rejected before anything is sent', async (_what, more, message) => {
  const failure = run({ content: { ...small, ...more }, responses: [] });
  await expect(failure).rejects.toMatchObject({ class: 'validation', effect: 'not_sent', message: expect.stringMatching(message) });
  expect(platform.received).toEqual([]);
});

test.each([
  ['failed', { failureReason: 'codec' }, 'YouTube could not process the video: codec.'],
  ['rejected', { rejectionReason: 'copyright' }, 'YouTube rejected the video: copyright.'],
  ['rejected', { rejectionReason: 'duplicate' }, 'YouTube rejected the video: duplicate.'],
  ['deleted', {}, 'YouTube deleted the video.'],
])('a video that ends as %s, %j, is not published', async (uploadStatus, reason, message) => {
  const status = { json: { items: [{ id: 'v1', status: { uploadStatus, ...reason } }] } };
  await expect(run({ content: small, responses: [start, created, status] })).rejects.toMatchObject({
    class: 'media_processing_failed',
    message,
  });
});

test('a video that is processed for long is still reported', async () => {
  const waiting = Array.from({ length: 16 }, () => uploaded);
  expect((await run({ content: small, responses: [start, created, ...waiting] })).published.publishId).toBe('v1');
});

test('a video that YouTube locks as private despite the options has a warning', async () => {
  const locked = { json: { items: [{ id: 'v1', status: { uploadStatus: 'processed', privacyStatus: 'private' } }] } };
  const failure = run({ content: small, responses: [start, created, locked] });
  await expect(failure).rejects.toMatchObject({ class: 'permission', detail: { operator: 'audit' } });
  await platform.close();
  const content = { ...small, options: { privacy_status: 'private' } };
  expect((await run({ content, responses: [start, created, locked] })).published.publishId).toBe('v1');
});

test('a video that is made for kids gets no comment, and a warning says so', async () => {
  const content = { ...youtubeFlows.short.content, options: { made_for_kids: true } };
  const failure = run({ content, responses: [start, created, processed, comment] });
  await expect(failure).rejects.toMatchObject({ effect: 'not_sent', message: 'A video that is made for kids cannot have comments.' });
  expect(platform.received).toHaveLength(3);
});

test('a comment on a video that is not found yet is retried for a minute', async () => {
  const notYet: ScriptedResponse = {
    status: 404,
    json: { error: { code: 404, message: 'Not yet', errors: [{ reason: 'videoNotFound' }] } },
  };
  const failure = run({ content: youtubeFlows.short.content, responses: [start, created, processed, notYet] });
  await expect(failure).rejects.toMatchObject({ class: 'transient', effect: 'rejected', retryAfterMs: 20_000 });
});
