import sharp from 'sharp';
import { upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform(['google_business']);
});
afterAll(() => platform.stop());

/** Google requires at least 10 KB, and a single-colour image is smaller. */
const aPhoto = async (): Promise<string> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#888888', noise } })
    .jpeg()
    .toBuffer();
  return (await upload(platform, bytes)).id;
};

test('an image with a link is reviewed, and appears at the location with a button', async () => {
  const id = await publish(platform, { caption: 'The terrace is open', link: 'https://example.com/menu', media_ids: [await aPhoto()] });
  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['google_business success']);
  expect(post.publish_results[0]?.publish_id).toMatch(/^accounts\/\d+\/locations\/\d+\/localPosts\/\d+$/);
  expect(await platform.sandbox.posts('The terrace is open')).toMatchObject([
    { link: 'https://example.com/menu', media: [{ width: 800 }] },
  ]);
  expect(await (await fetch(post.publish_results[0]?.post_url ?? '')).text()).toContain('The terrace is open');
});

test('an event has the time of its options', async () => {
  const event = { title: 'Open day', start_date: '2027-03-01', start_time: '09:00', end_date: '2027-03-01', end_time: '17:30' };
  const platform_overrides = [{ platform: 'google_business' as const, options: { topic_type: 'EVENT' as const, event } }];
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Come and see', platform_overrides }));
  expect(outcomes(post)).toEqual(['google_business success']);
  const bodies = (await platform.sandbox.requests({ platform: 'google_business', path: '/localPosts' })).map(({ body }) => body);
  const schedule = expect.objectContaining({ startDate: { year: 2027, month: 3, day: 1 } });
  expect(bodies).toContainEqual(expect.objectContaining({ topicType: 'EVENT', event: { title: 'Open day', schedule } }));
});

test("Google's rejection of the content is the post's failure", async () => {
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Call us: +49 30 1234567' }));
  expect(outcomes(post)).toEqual(['google_business failed validation_failed']);
  expect(post.publish_results[0]?.error_message).toContain('content policy');
});
