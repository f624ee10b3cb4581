import type { EventBody } from './message.ts';
import { discordBody } from './discord.ts';
import { slackBody } from './slack.ts';

const result = (platform: string, status: string, error_message: string | null = null) => ({ platform, status, error_message });
const post = {
  caption: 'Fresh <!channel> bread & @everyone **now** https://evil.example/x',
  url: 'https://app.test/posts/1',
  publish_results: [result('facebook', 'success'), result('x', 'failed', 'The text is too long.')],
  last_failure: null,
  review_note: null,
};
const anEvent = (type: string, data: object): EventBody => ({
  ...{ id: 'e', type, timestamp: '', sequence: 1, business_id: null, revision: 1, actor: '', request_id: null, previous: null },
  data: data as Readonly<Record<string, unknown>>,
});

test('Slack gets what has happened, and nothing in it mentions people or links elsewhere', () => {
  const { text } = JSON.parse(slackBody(anEvent('post.partially_published', post))) as { text: string };
  expect(text).toContain('*<https://app.test/posts/1|Post partially published>*');
  expect(text).toContain('Published to Facebook.');
  expect(text).toContain('X failed: The text is too long.');
  expect(text).toContain('&lt;!channel&gt;');
  expect(text).not.toContain('<!channel>');
});

test('an unpublished post says where it was removed, and where a person has to remove it', () => {
  const removed = { ...result('facebook', 'success'), removal: { status: 'removed', detail: null } };
  const left = { ...result('tiktok', 'success'), removal: { status: 'not_supported', detail: 'TikTok does not let apps delete posts.' } };
  const data = { ...post, publish_results: [removed, left, result('x', 'success')] };
  const { text } = JSON.parse(slackBody(anEvent('post.unpublished', data))) as { text: string };
  expect(text).toContain('Post unpublished');
  expect(text).toContain('Removed from Facebook.');
  expect(text).toContain('Not removed from TikTok: TikTok does not let apps delete posts.');
  expect(text).not.toContain('Published to');
});

test('Discord gets the same, and mentions nobody', () => {
  const body = JSON.parse(discordBody(anEvent('post.partially_published', post))) as { content: string; allowed_mentions: object };
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.content).toContain('**Post partially published**');
  expect(body.content).toContain('<https://app.test/posts/1>');
  expect(body.content).not.toContain('https://evil.example');
  expect(body.content).toContain(String.raw`\*\*now\*\*`);
});

test('a message for Discord is not longer than it accepts', () => {
  const failures = Array.from({ length: 40 }, () => result('x', 'failed', 'A reason. '.repeat(100)));
  const { content } = JSON.parse(discordBody(anEvent('post.failed', { ...post, publish_results: failures }))) as { content: string };
  expect([...content].length).toBeLessThanOrEqual(2_000);
});

test.each([
  [
    'integration.expired',
    { platform: 'facebook', display_name: 'Corner Bakery', reconnect_url: 'https://app.test/r', last_error: 'Revoked.' },
  ],
  [
    'post.at_risk',
    {
      ...post,
      publish_results: [],
      at_risk: [
        { platform: 'x', detail: 'Too long.' },
        { platform: null, detail: 'Gone.' },
      ],
    },
  ],
  ['post.stats_milestone', { post_id: 'p', results: [{ platform: 'x', stats: { likes: 3, reach: null } }] }],
  ['account.stats', { platform: 'facebook', end_date: '2026-08-05', followers: 12, reach: null }],
  ['media.failed', { file_name: 'bread.jpg', error: 'The file is not an image.' }],
  ['job.failed', { error: 'The website could not be read.' }],
  ['webhook.disabled', { url: 'https://example.com/', disabled_reason: 'failing' }],
  ['webhook.test', {}],
])('%s has a message for both', (type, data) => {
  const { text } = JSON.parse(slackBody(anEvent(type, data))) as { text: string };
  const { content } = JSON.parse(discordBody(anEvent(type, data))) as { content: string };
  expect(text.length).toBeGreaterThan(10);
  expect(content.length).toBeGreaterThan(10);
  expect(`${text}${content}`).not.toMatch(/undefined|null|\[object/);
});
