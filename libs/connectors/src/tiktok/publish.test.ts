import { aCall, aContent, anImage, aReel } from '../../test/a-content.ts';
import { complete, creator, tiktokFlows } from './test/flows.ts';
import { type ScriptedResponse, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { tiktokTalk } from './test/talk.ts';
import type { Content, State } from '../connector.ts';
import { tiktok } from './index.ts';

const taskId = 'v_pub_file~v2-1.71';
const uploadUrl = 'https://open-upload.tiktokapis.com/video/?upload_id=71&upload_token=t';
const publicCreator = { username: 'acme', commentDisabled: false, duetDisabled: false, stitchDisabled: false, isPublic: true };
const ok = { code: 'ok', message: '', log_id: '1' };

const { run, sent, step, received, close } = tiktokTalk();
afterEach(close);

test('a small video is uploaded in one request, and its id, which is too large for a number, is polled for', async () => {
  const { published, steps } = await run(tiktokFlows.video);
  expect(published).toEqual({ publishId: '7301234567890123457', postUrl: 'https://www.tiktok.com/@acme/video/7301234567890123457' });
  expect(steps).toEqual([
    'prepare:query_creator_info',
    'prepare:initialize_upload',
    'commit:upload_last_part',
    'follow_up:await_publishing',
    'follow_up:await_publishing',
    'follow_up:await_publishing',
  ]);
  const status = ['POST', '/post/publish/status/fetch/', { publish_id: taskId }];
  expect(sent()).toEqual([
    ['POST', '/post/publish/creator_info/query/', undefined],
    [
      'POST',
      '/post/publish/video/init/',
      {
        post_info: {
          title: 'Hello world',
          privacy_level: 'PUBLIC_TO_EVERYONE',
          disable_duet: true,
          disable_comment: false,
          disable_stitch: false,
          video_cover_timestamp_ms: 1_000,
          brand_content_toggle: false,
          brand_organic_toggle: false,
          is_aigc: false,
        },
        source_info: { source: 'FILE_UPLOAD', video_size: 1_000, chunk_size: 1_000, total_chunk_count: 1 },
      },
    ],
    ['PUT', 'https://open-upload.tiktokapis.com/video/', 'video/mp4', 'bytes 0-999/1000', 1_000],
    status,
    status,
    status,
  ]);
  expect(received()[1]?.headers['content-type']).toBe('application/json; charset=UTF-8');
  expect(received()[2]?.query).toEqual({ upload_id: '71', upload_token: 't' });
});

test('a large video is uploaded in parts, the last one with the remainder; the publish id of a post for friends is that of its task', async () => {
  const { published } = await run(tiktokFlows.parts);
  expect(published).toEqual({ publishId: taskId, postUrl: 'https://www.tiktok.com/@acme' });
  const put = (range: string, size: number) => ['PUT', 'https://open-upload.tiktokapis.com/video/', 'video/quicktime', range, size];
  expect(sent().slice(1, 5)).toEqual([
    [
      'POST',
      '/post/publish/video/init/',
      {
        post_info: {
          title: 'Hello world',
          privacy_level: 'MUTUAL_FOLLOW_FRIENDS',
          disable_duet: true,
          disable_comment: true,
          disable_stitch: false,
          video_cover_timestamp_ms: 2_500,
          brand_content_toggle: true,
          brand_organic_toggle: true,
          is_aigc: true,
        },
        source_info: { source: 'FILE_UPLOAD', video_size: 15_728_647, chunk_size: 5_242_880, total_chunk_count: 3 },
      },
    ],
    put('bytes 0-5242879/15728647', 5_242_880),
    put('bytes 5242880-10485759/15728647', 5_242_880),
    put('bytes 10485760-15728646/15728647', 5_242_887),
  ]);
});

test('TikTok fetches photos', async () => {
  const { published, steps } = await run(tiktokFlows.photos);
  expect(published).toEqual({ publishId: 'p_pub_url~v2.72', postUrl: 'https://www.tiktok.com/@acme' });
  expect(steps.slice(0, 3)).toEqual(['prepare:query_creator_info', 'commit:publish_photos', 'follow_up:await_publishing']);
  expect(sent()[1]).toEqual([
    'POST',
    '/post/publish/content/init/',
    {
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: {
        title: 'Two doors',
        description: 'Hello world',
        privacy_level: 'SELF_ONLY',
        disable_comment: false,
        auto_add_music: true,
        brand_content_toggle: false,
        brand_organic_toggle: false,
      },
      source_info: {
        source: 'PULL_FROM_URL',
        photo_images: ['https://media.example.com/1.jpg', 'https://media.example.com/2.webp'],
        photo_cover_index: 1,
      },
    },
  ]);
});

test.each([
  [9_000_000, 9_000_000, 1],
  [2 * 5_242_880 - 1, 10_485_759, 1],
  [2 * 5_242_880, 5_242_880, 2],
  [4_000_000_000, 5_242_880, 762],
])('a video of %d bytes is announced in parts of %d bytes, %d in all', async (sizeBytes, chunk_size, total_chunk_count) => {
  await step(
    aContent({ media: [aReel({ sizeBytes })], options: { privacy_level: 'SELF_ONLY' } }),
    { creator: publicCreator },
    { json: {} },
  ).catch(() => 0);
  expect(received()[0]?.body).toMatchObject({ source_info: { video_size: sizeBytes, chunk_size, total_chunk_count } });
});

test('a video is read part by part, and each byte once', async () => {
  const reads: [number, number][] = [];
  const read = async (from: number, to: number) => (reads.push([from, to]), Buffer.alloc(to - from + 1));
  const { content, responses } = tiktokFlows.parts;
  await run({ responses, content: { ...content, media: [aReel({ sizeBytes: 15_728_647, read })] } });
  expect(reads).toEqual([
    [0, 5_242_879],
    [5_242_880, 10_485_759],
    [10_485_760, 15_728_646],
  ]);
});

describe('options that the account does not support are rejected before anything is sent', () => {
  const video = aReel({ durationMs: 300_001 });
  const chosen = { privacy_level: 'SELF_ONLY' };
  test.each<[string, Partial<Content>, RegExp]>([
    ['no privacy level', { media: [anImage()] }, /options\.privacy_level: .* is required\. .*settings/],
    ['a privacy level of others', { media: [anImage()], options: { privacy_level: 'FOLLOWER_OF_CREATOR' } }, /offers PUBLIC_TO_EVERYONE, /],
    ['a video that is too long for it', { media: [video], options: chosen }, /300001 ms long.*300000 ms/],
    ['a cover that is not there', { media: [anImage()], options: { ...chosen, photo_cover_index: 1 } }, /only 1 photos/],
    [
      'branded content for nobody else',
      { media: [anImage()], options: { ...chosen, disclose_branded_content: true } },
      /cannot be private/,
    ],
    ['a label that photos do not take', { media: [anImage()], options: { ...chosen, disclose_ai_generated: true } }, /videos only/],
  ])('%s', async (_what, content, message) => {
    const failure = step(aContent(content), {}, creator);
    await expect(failure).rejects.toMatchObject({
      class: 'validation',
      effect: 'not_sent',
      message: expect.stringMatching(message) as string,
    });
  });
});

test('the privacy levels of an account can be listed', async () => {
  const platform = await scriptedPlatform([creator]);
  const page = await tiktok.choices?.['privacy_level']?.(aCall(platform.client.http('tiktok')), { given: {} });
  await platform.close();
  expect(page).toEqual({
    items: [
      { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
      { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
      { value: 'SELF_ONLY', label: 'Only you' },
    ],
  });
});

describe('an interrupted upload', () => {
  const content = aContent({ media: [aReel({ sizeBytes: 15_728_647 })], options: { privacy_level: 'SELF_ONLY' } });
  const state = { creator: publicCreator, taskId, uploadUrl, uploaded: 5_242_880 };
  const status = (fields: object): ScriptedResponse => ({ json: { data: { status: 'PROCESSING_UPLOAD', ...fields }, error: ok } });

  test('continues where it stopped', async () => {
    expect(await step(content, state, { status: 206 })).toEqual({ state: { ...state, uploaded: 10_485_760 } });
  });

  test.each([
    [416, { ...state, askOffset: true }],
    [403, { rebuilds: 1 }],
    [404, { rebuilds: 1 }],
  ])('is corrected after status %d', async (rejected, retryFrom) => {
    await expect(step(content, state, { status: rejected, text: '' })).rejects.toMatchObject({
      class: 'transient',
      effect: 'rejected',
      retryFrom,
    });
  });

  test('reads from TikTok how many bytes it has, and starts again if that is not the end of a part', async () => {
    expect((await step(content, { ...state, askOffset: true }, status({ uploaded_bytes: 10_485_760 }))).state).toEqual({
      ...state,
      uploaded: 10_485_760,
    });
    await close();
    expect((await step(content, { ...state, askOffset: true }, status({ uploaded_bytes: 7 }))).state).toEqual({ rebuilds: 1 });
  });

  test('for the last part only the status of TikTok counts', async () => {
    const last = { ...state, uploaded: 10_485_760 };
    await expect(step(content, last, { status: 403, text: '' })).rejects.toMatchObject({ effect: 'unknown' });
    await close();
    const gone = { status: 403, json: { error: { code: 'upload_expired', message: 'The upload URL has expired.', log_id: '1' } } };
    await expect(step(content, last, gone)).rejects.toMatchObject({ class: 'transient', effect: 'rejected', retryFrom: { rebuilds: 1 } });
  });
});

describe('after the commit', () => {
  const content = tiktokFlows.video.content;
  const state = { creator: publicCreator, taskId, uploadUrl, uploaded: 1_000, committed: true };
  const status = (fields: object): ScriptedResponse => ({ json: { data: fields, error: ok } });

  test('a post that TikTok gave up was not published', async () => {
    const failed = status({ status: 'FAILED', fail_reason: 'frame_rate_check_failed', publicaly_available_post_id: [] });
    await expect(step(content, state, failed)).rejects.toMatchObject({
      class: 'media_processing_failed',
      message: expect.stringContaining('frame_rate_check_failed') as string,
      retryFrom: { rebuilds: 1 },
    });
  });

  test('a direct post that arrived as a draft is not published', async () => {
    await expect(step(content, state, status({ status: 'SEND_TO_USER_INBOX' }))).rejects.toMatchObject({
      class: 'validation',
      retryFrom: {},
    });
  });

  test('the post is polled every five seconds at first, for a quarter of an hour at most', async () => {
    const waits: number[] = [];
    let at: State = state;
    for (;;) {
      const result = await step(content, at, status({ status: 'PROCESSING_UPLOAD' }));
      at = result.state;
      await close();
      if (result.waitMs === undefined) break;
      waits.push(result.waitMs);
    }
    expect(waits.slice(0, 8)).toEqual([5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 25_000, 25_000]);
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(15 * 60_000);
    expect(tiktok.publish.next(content, at)).toEqual({ published: { publishId: taskId, postUrl: 'https://www.tiktok.com/@acme' } });
  });

  test('a post that is not moderated in time is published without an id', async () => {
    const unmoderated = status({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [] });
    const { published, steps } = await run({ content, responses: [unmoderated, unmoderated, unmoderated, unmoderated] }, state);
    expect(published).toEqual({ publishId: taskId, postUrl: 'https://www.tiktok.com/@acme' });
    expect(steps).toHaveLength(4);
    await close();
    expect((await step(content, state, unmoderated)).waitMs).toBe(5_000);
  });

  test('a post that can no longer be polled is still reported', () => {
    const next = tiktok.publish.next(content, state);
    const givenUp = 'step' in next && 'givenUp' in next.step ? next.step.givenUp : {};
    expect(tiktok.publish.next(aContent(), givenUp)).toEqual({ published: { publishId: taskId, postUrl: 'https://www.tiktok.com/@acme' } });
    expect(complete.text).toContain('7301234567890123457');
  });
});
