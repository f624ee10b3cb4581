import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anImage, upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform(['youtube']);
});
afterAll(() => platform.stop());

/** Five seconds of a single colour. */
const videoBytes = readFile(path.join(import.meta.dirname, 'fixtures/video.mp4'));
const aVideo = async (): Promise<string> => (await upload(platform, await videoBytes, 'video.mp4', 'video/mp4')).id;

test('a video is published with the options of its override, and its first comment', async () => {
  const options = { privacy_status: 'unlisted' as const, category_id: '28', tags: ['our shop', 'spring'] };
  const platform_overrides = [{ platform: 'youtube' as const, title: 'Spring at our shop', first_comment: 'First!', options }];
  const post = await untilTerminal(
    platform,
    await publish(platform, { caption: 'Come in', media_ids: [await aVideo()], platform_overrides }),
  );
  expect(outcomes(post)).toEqual(['youtube success']);
  const [result] = post.publish_results;
  expect(result?.post_url).toContain(`www.youtube.com/watch?v=${result?.publish_id}`);
  expect(await platform.sandbox.posts('Come in')).toMatchObject([
    {
      id: result?.publish_id,
      kind: 'video',
      details: { title: 'Spring at our shop', ...options, made_for_kids: false },
      comments: [{ text: 'First!' }],
    },
  ]);
  expect(await (await fetch(result?.post_url ?? '')).text()).toContain('Come in');
});

test('an image fails, and the message says what YouTube accepts', async () => {
  const post = await untilTerminal(platform, await publish(platform, { caption: 'A still', media_ids: [await anImage(platform)] }));
  expect(outcomes(post)).toEqual(['youtube failed validation_failed']);
  expect(await platform.sandbox.posts('A still')).toEqual([]);
});
