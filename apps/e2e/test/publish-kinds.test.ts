import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CreatePost } from '@fanfare/sdk';
import { anImage, jpeg, upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

// What Facebook, Instagram and X publish besides a text with images, over the wire.

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

const reel = async () => (await upload(platform, await reelBytes, 'reel.mp4', 'video/mp4')).id;
const reelBytes = readFile(path.join(import.meta.dirname, '../../sandbox/test/fixtures/reel.mp4'));
const image = async (width: number, height: number) => (await upload(platform, await jpeg(width, height))).id;
/** Publishes to one platform, and returns the platform's posts. */
async function published(to: 'facebook' | 'instagram' | 'x', body: CreatePost, text = body.caption) {
  const post = await untilTerminal(platform, await publish(platform, { ...body, restrict_publish_to: [to] }));
  expect(post.publish_results).toMatchObject([{ platform: to, status: 'success', error_type: null, error_message: null }]);
  const posts = await platform.sandbox.posts(text);
  return posts.filter((one) => one.platform === to);
}

test('an Instagram reel with its cover, co-authors, people and a place', async () => {
  const options = { collaborators: ['@acme.bread'], user_tags: [{ username: 'baker' }], location_id: '7640348500', share_to_feed: false };
  const sent = await published('instagram', {
    caption: 'Kneading',
    media_ids: [await reel()],
    cover_media_id: await image(540, 960),
    platform_overrides: [{ platform: 'instagram', options }],
  });
  // The cover keeps its ratio, which no image of a post may have.
  const cover = { width: 540, height: 960 };
  const details = { ...options, collaborators: ['acme.bread'], cover };
  expect(sent).toMatchObject([{ kind: 'reel', details }]);
});

test('an Instagram story accepts an upright image and tags, and no text', async () => {
  const before = (await platform.sandbox.posts()).length;
  await published('instagram', {
    caption: 'Only in the story',
    media_ids: [await image(540, 960)],
    platform_overrides: [{ platform: 'instagram', options: { kind: 'story', user_tags: [{ username: '@baker' }] } }],
  });
  const posts = await platform.sandbox.posts();
  expect(posts).toHaveLength(before + 1);
  expect(posts.at(-1)).toMatchObject({
    platform: 'instagram',
    kind: 'story',
    text: '',
    media: [{ width: 540, height: 960 }],
    details: { user_tags: [{ username: 'baker' }] },
  });
});

test('an image that is too wide is padded by the fix of a check, and arrives in the widest accepted ratio', async () => {
  const body = { caption: 'A long table', media_ids: [await image(1_500, 500)], restrict_publish_to: ['instagram' as const] };
  const checked = await platform.fanfare.posts.validate(platform.tenant.business_id, body);
  expect(checked.findings).toContainEqual(expect.objectContaining({ rule_id: 'media_ratio', platform: 'instagram', severity: 'error' }));
  expect(checked.fix).toEqual([
    { op: 'add', path: '/platform_overrides', value: [{ platform: 'instagram', options: { media_fit: 'pad' } }] },
  ]);
  const rejected = await untilTerminal(platform, await publish(platform, body));
  expect(outcomes(rejected)).toEqual(['instagram failed validation_failed']);

  const platform_overrides = [{ platform: 'instagram' as const, options: { media_fit: 'pad' as const, pad_color: '#c8562b' } }];
  const mended = await platform.fanfare.posts.validate(platform.tenant.business_id, { ...body, platform_overrides });
  expect(mended.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [sent] = await published('instagram', { ...body, platform_overrides });
  expect(sent?.media).toMatchObject([{ content_type: 'image/jpeg', width: 1_500, height: 786 }]);
});

test("an image that is too tall is padded if the account's settings say so", async () => {
  const integration = `/api/businesses/${platform.tenant.business_id}/integrations/${platform.integrations['instagram']}`;
  expect((await platform.api('PATCH', integration, { settings: { media_fit: 'pad' } })).status).toBe(200);
  const [sent] = await published('instagram', { caption: 'A tall oven', media_ids: [await image(400, 1_000)] });
  expect(sent?.media).toMatchObject([{ width: 800, height: 1_000 }]);
  expect((await platform.api('PATCH', integration, { settings: { media_fit: null } })).status).toBe(200);
});

test('a Facebook reel with its title, cover and label', async () => {
  const sent = await published('facebook', {
    caption: 'Baking',
    media_ids: [await reel()],
    cover_media_id: await image(540, 960),
    platform_overrides: [{ platform: 'facebook', title: 'Our oven', options: { kind: 'reel', is_ai_generated: true } }],
  });
  const details = { title: 'Our oven', is_ai_generated: true, cover: { width: 540, height: 960 } };
  expect(sent).toMatchObject([{ kind: 'reel', details }]);
});

test('a wide video becomes a Facebook reel, padded if requested', async () => {
  const [sent] = await published('facebook', {
    caption: 'The whole counter',
    media_ids: [(await upload(platform, await aWideVideo(), 'wide.mp4', 'video/mp4')).id],
    platform_overrides: [{ platform: 'facebook', options: { kind: 'reel', media_fit: 'pad', pad_color: '#000000' } }],
  });
  expect(sent).toMatchObject({ kind: 'reel', media: [{ content_type: 'video/mp4', width: 640 }] });
  const { width, height } = sent?.media[0] as { width: number; height: number };
  expect(Math.abs(width / height - 9 / 16)).toBeLessThan(0.006);
});

test('a Facebook link, and images with their alt texts', async () => {
  expect(await published('facebook', { caption: 'Read on', link: 'https://example.com/bread' })).toMatchObject([
    { kind: 'link', link: 'https://example.com/bread' },
  ]);
  const media_ids = [await described('A loaf'), await anImage(platform)];
  const [sent] = await published('facebook', { caption: 'Two loaves', media_ids });
  expect(sent).toMatchObject({ kind: 'album', media: [{ alt_text: 'A loaf' }, { alt_text: null }] });
});

test('an X post with its link, an alt text, and who may reply', async () => {
  const options = { append_link: true, reply_settings: 'verified' as const, made_with_ai: true };
  const body = {
    caption: 'Fresh today',
    link: 'https://example.com/today',
    media_ids: [await described('A bun')],
    platform_overrides: [{ platform: 'x' as const, options }],
  };
  expect(await published('x', body, 'Fresh today\nhttps://example.com/today')).toMatchObject([
    { media: [{ alt_text: 'A bun' }], details: { reply_settings: 'verified', made_with_ai: true } },
  ]);
});

test('an X poll', async () => {
  const poll = { options: ['Rye', 'Wheat'], duration_minutes: 60 };
  const sent = await published('x', { caption: 'Which bread?', platform_overrides: [{ platform: 'x', options: { poll } }] });
  expect(sent).toMatchObject([{ kind: 'text', details: { poll } }]);
});

test('an unsupported combination fails before anything is sent', async () => {
  const before = (await platform.sandbox.requests()).length;
  const id = await publish(platform, {
    caption: 'Not so',
    media_ids: [await anImage(platform)],
    platform_overrides: [{ platform: 'instagram', first_comment: 'First!', options: { kind: 'story' } }],
    restrict_publish_to: ['instagram'],
  });
  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['instagram failed validation_failed']);
  expect(post.publish_results[0]?.error_message).toContain('A story cannot have a first comment.');
  expect(await platform.sandbox.requests()).toHaveLength(before);
});

/** Three seconds, 640 × 540. */
async function aWideVideo(): Promise<Buffer> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'fanfare-video-'));
  const file = path.join(directory, 'wide.mp4');
  const input = ['-f', 'lavfi', '-i', 'color=c=teal:size=640x540:rate=24:duration=3'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...input, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', file]);
  const bytes = await readFile(file);
  await rm(directory, { recursive: true });
  return bytes;
}

async function described(alt_text: string): Promise<string> {
  const { id } = await upload(platform, await jpeg(640, 640));
  await platform.fanfare.media.update(platform.tenant.business_id, id, { alt_text });
  return id;
}
