import { anImage } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await borrowPlatform(['linkedin']);
});
afterAll(() => platform.stop());

const createPost = 'linkedin.create_post';

test('one login publishes for the member and for the page, images with a first comment', async () => {
  const caption = 'Fresh bread (really) #bakery @ seven_o_clock';
  const media_ids = [await anImage(platform, '#aa0000'), await anImage(platform, '#00aa00')];
  const platform_overrides = [{ platform: 'linkedin' as const, first_comment: 'Come (soon)!' }];
  const post = await untilTerminal(platform, await publish(platform, { caption, media_ids, platform_overrides }));
  expect(outcomes(post)).toEqual(['linkedin success', 'linkedin success']);

  const sent = await platform.sandbox.posts(caption);
  expect(sent).toHaveLength(2);
  for (const one of sent) expect(one).toMatchObject({ kind: 'album', media: [{}, {}], comments: [{ text: 'Come (soon)!' }] });
  for (const { publish_id, post_url } of post.publish_results) {
    expect(publish_id).toMatch(/^urn:li:share:\d+$/);
    const page = await (await fetch(post_url ?? '')).text();
    expect(page.replaceAll(/<[^>]+>/g, '')).toContain(caption);
  }
});

test('a link is a card where requested, and not for other platforms; a poll is under the text', async () => {
  const link = 'https://www.example.com/bread?from=here';
  const on = (options: object) => [{ platform: 'linkedin' as const, options }];
  const poll = { question: 'Which bread?', options: ['Rye', 'Wheat'] };
  const posts = {
    'With a card': { link, platform_overrides: on({ article: true, article_description: 'Rye, since 1920' }) },
    'Without a card': { link },
    'With a poll': { link, platform_overrides: on({ poll }) },
  };
  for (const [caption, more] of Object.entries(posts)) {
    const post = await untilTerminal(platform, await publish(platform, { caption, ...more }));
    expect(outcomes(post)).toEqual(['linkedin success', 'linkedin success']);
  }
  const stored = { question: 'Which bread?', options: [{ text: 'Rye' }, { text: 'Wheat' }], settings: { duration: 'THREE_DAYS' } };
  const article = { source: link, title: 'example.com/bread', description: 'Rye, since 1920' };
  const expectContent = async (caption: string, content: object | null) => {
    const details = { content };
    expect(await platform.sandbox.posts(caption)).toMatchObject([{ details }, { details }]);
  };
  await expectContent('With a card', { article });
  await expectContent('Without a card', null);
  await expectContent('With a poll', { poll: stored });
});

test("a page's lost commit is found by reading; a member's cannot be found, and is not sent again", async () => {
  const fault = await platform.sandbox.fault(createPost, { type: 'accept_then_drop' }, 2);
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Did it arrive?' }));
  await fault.remove();
  expect(outcomes(post)).toEqual(['linkedin failed unknown_outcome', 'linkedin success']);
  const sent = await platform.sandbox.posts('Did it arrive?');
  expect(sent).toHaveLength(2);
  const found = post.publish_results.find(({ status }) => status === 'success')?.publish_id;
  expect(sent.map(({ id }) => id)).toContain(found);

  // A person who checked and did not find it can send it again: LinkedIn then names the post that it would duplicate.
  await platform.fanfare.posts.publish(platform.tenant.business_id, post.id, { confirm_not_published: true });
  const again = await untilTerminal(platform, post.id);
  expect(outcomes(again)).toEqual(['linkedin success', 'linkedin success']);
  expect(again.publish_results.map(({ publish_id }) => publish_id).sort()).toEqual(sent.map(({ id }) => id).sort());
  expect(await platform.sandbox.posts('Did it arrive?')).toHaveLength(2);
});

test('a first comment that LinkedIn rejects is a warning of a published post', async () => {
  const body = { status: 403, code: 'ACCESS_DENIED', message: 'Not enough permissions to comment' };
  const fault = await platform.sandbox.fault('linkedin.create_comment', { type: 'status', status: 403, body }, 2);
  const platform_overrides = [{ platform: 'linkedin' as const, first_comment: 'Never seen' }];
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Without its comment', platform_overrides }));
  await fault.remove();
  expect(outcomes(post)).toEqual(['linkedin success', 'linkedin success']);
  const warnings = ['Add first comment: Not enough permissions to comment'];
  expect(post.publish_results).toMatchObject([{ warnings }, { warnings }]);
});

test("LinkedIn's rejection is the post's failure, with its message", async () => {
  const body = { status: 400, code: 'ILLEGAL_ARGUMENT', message: 'This company may not post today' };
  const fault = await platform.sandbox.fault(createPost, { type: 'status', status: 400, body }, 2);
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Not today' }));
  await fault.remove();
  expect(outcomes(post)).toEqual(['linkedin failed validation_failed', 'linkedin failed validation_failed']);
  expect(post.publish_results[0]?.error_message).toContain('This company may not post today');
});
