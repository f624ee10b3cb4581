import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anImage, upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform(['tiktok']);
});
afterAll(() => platform.stop());

/** Three seconds, upright: TikTok accepts nothing shorter, and nothing smaller than 360 pixels. */
const videoBytes = readFile(path.join(import.meta.dirname, '../../sandbox/test/fixtures/reel.mp4'));
const overrides = (options: Record<string, unknown>, title?: string) => [{ platform: 'tiktok' as const, options, ...(title && { title }) }];

test('images become a photo post, with title and description', async () => {
  const platform_overrides = overrides({ privacy_level: 'PUBLIC_TO_EVERYONE', disclose_own_brand: true }, 'Two cakes');
  const media_ids = [await anImage(platform), await anImage(platform)];
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Plum and pear', media_ids, platform_overrides }));
  expect(outcomes(post)).toEqual(['tiktok success']);
  const [sent] = await platform.sandbox.posts('Two cakes\nPlum and pear');
  expect(sent).toMatchObject({ kind: 'carousel', details: { brand_organic_toggle: true } });
  expect(post.publish_results[0]).toMatchObject({
    publish_id: sent?.id,
    post_url: expect.stringContaining(`www.tiktok.com/@fanfare_demo/video/${sent?.id}`) as string,
  });
});

test("a video goes to the audience in the account's settings, with the chosen frame as its cover", async () => {
  const integration = `/api/businesses/${platform.tenant.business_id}/integrations/${platform.integrations['tiktok']}`;
  expect((await platform.api('PATCH', integration, { settings: { privacy_level: 'MUTUAL_FOLLOW_FRIENDS' } })).status).toBe(200);
  const video = await upload(platform, await videoBytes, 'video.mp4', 'video/mp4');
  const id = await publish(platform, { caption: 'Our shop', media_ids: [video.id], video_cover_timestamp_ms: 2_000 });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['tiktok success']);
  expect(await platform.sandbox.posts('Our shop')).toMatchObject([
    { kind: 'video', details: { privacy_level: 'MUTUAL_FOLLOW_FRIENDS', video_cover_timestamp_ms: 2_000 } },
  ]);
});
