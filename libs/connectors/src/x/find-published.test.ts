import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content } from '../connector.ts';
import { x } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const post = (id: string, text: string, more: object = {}) => ({ id, text, created_at: '2026-11-21T10:00:01.000Z', ...more });

let platform: ScriptedPlatform;
const find = async (response: ScriptedResponse | readonly ScriptedResponse[], content: Content) => {
  platform = await scriptedPlatform([response].flat());
  return x.publish.findPublished(aCall(platform.client.http('x', deadlineIn(1_000))), content, {}, committed);
};
const idsOf = async (posts: readonly object[], content: Content) =>
  (await find({ json: { data: posts } }, content)).candidates.map(({ publishId }) => publishId);

afterEach(() => platform.close());

test('reads the newest posts, from shortly before the commit', async () => {
  const finding = await find({ json: { data: [post('9', 'Hello world'), post('8', 'Other')] } }, aContent());
  expect(finding).toEqual({
    proof: 'none',
    candidates: [{ publishId: '9', state: { postId: '9', postUrl: 'https://x.com/acme/status/9' } }],
  });
  expect(platform.received).toMatchObject([
    {
      url: 'https://api.x.com/2/users/100/tweets',
      query: {
        max_results: '100',
        start_time: '2026-11-21T09:59:30.000Z',
        exclude: 'retweets',
        'post.fields': 'created_at,text,note_post,entities,attachments',
      },
    },
  ]);
});

describe('a server that only knows the former field names gets these', () => {
  const former = { 'tweet.fields': 'created_at,text,note_tweet,entities,attachments' };
  const message = 'The query parameter [post.fields] is not one of [id,max_results,tweet.fields]';
  const rejected = {
    status: 400,
    json: {
      ...{ title: 'Invalid Request', detail: 'One or more parameters to your request was invalid.' },
      ...{ type: 'https://api.twitter.com/2/problems/invalid-request', errors: [{ parameters: {}, message }] },
    },
  };
  const page = (json: object) => ({ json: { data: [json], meta: { next_token: 'page-2' } } });

  test.each([
    ['it rejects the new one', rejected],
    ['it leaves out what it does not know', page({ id: '9', text: 'Hello world' })],
  ])('where %s', async (_, first) => {
    const finding = await find([first, page(post('9', 'Hello world')), { json: { meta: { result_count: 0 } } }], aContent());
    expect(finding.candidates.map(({ publishId }) => publishId)).toEqual(['9']);
    const requested = platform.received.map(({ query }) => ['post.fields', 'tweet.fields'].map((name) => query[name]));
    expect(requested.map(([now]) => now === undefined)).toEqual([false, true, true]);
    expect(platform.received.slice(1)).toMatchObject([{ query: former }, { query: { ...former, pagination_token: 'page-2' } }]);
  });

  test('what it rejects with these too is rejected', async () => {
    await expect(find([rejected, rejected], aContent())).rejects.toMatchObject({ class: 'validation' });
  });
});

test('posts since the commit are read page by page', async () => {
  const page = (id: string, text: string, next_token?: string) => ({
    json: { data: [post(id, text)], meta: { result_count: 1, next_token } },
  });
  const finding = await find([page('9', 'Other', 'page-2'), page('8', 'Hello world', 'page-3'), page('7', 'Other')], aContent());
  expect(finding.candidates.map(({ publishId }) => publishId)).toEqual(['8']);
  const [{ pagination_token: _, ...query } = {}] = platform.received.map((one) => one.query);
  expect(platform.received.map((one) => one.query)).toEqual([
    query,
    { ...query, pagination_token: 'page-2' },
    { ...query, pagination_token: 'page-3' },
  ]);
});

test('shortened links and escaped characters are restored before texts are compared', async () => {
  const text = 'R&amp;D &lt;3 https://t.co/aaa see https://t.co/bbb';
  const entities = {
    urls: [
      { url: 'https://t.co/aaa', expanded_url: 'https://example.com/a?b=c' },
      { url: 'https://t.co/bbb', expanded_url: 'http://example.org/' },
    ],
  };
  expect(await idsOf([post('9', text, { entities })], aContent({ caption: 'R&D <3 https://example.com/a?b=c see example.org' }))).toEqual([
    '9',
  ]);
});

test.each(['note_post', 'note_tweet'])('the text of a long post, which X cuts, is read from its %s', async (name) => {
  const caption = `${'Long bread. '.repeat(40)}https://example.com/bread`;
  const note = (text: string) => ({
    [name]: { text, entities: { urls: [{ url: 'https://t.co/aaa', expanded_url: 'https://example.com/bread' }] } },
  });
  const [ours, other] = ['Long bread. ', 'Long bread! '].map((words) => `${words.repeat(40)}https://t.co/aaa`);
  const posts = [post('9', caption.slice(0, 270), note(ours ?? '')), post('8', caption.slice(0, 270), note(other ?? ''))];
  expect(await idsOf(posts, aContent({ caption }))).toEqual(['9']);
});

test('the link that X appends for media is not part of the text, and a post with media does not match one without', async () => {
  const entities = { urls: [{ url: 'https://t.co/ccc', expanded_url: 'https://x.com/acme/status/9/photo/1' }] };
  const withMedia = post('9', 'Hello world https://t.co/ccc', { entities, attachments: { media_keys: ['3_1'] } });
  const without = post('8', 'Hello world');
  expect(await idsOf([withMedia, without], aContent({ media: [anImage()] }))).toEqual(['9']);
  await platform.close();
  expect(await idsOf([withMedia, without], aContent())).toEqual(['8']);
});

test('older posts do not match', async () => {
  expect(await idsOf([post('7', 'Hello world', { created_at: '2026-11-21T09:59:00.000Z' })], aContent())).toEqual([]);
});

test('a response without posts is an empty list, and one with only errors is an error', async () => {
  expect(await find({ json: { meta: { result_count: 0 } } }, aContent())).toEqual({ proof: 'none', candidates: [] });
  await platform.close();
  const errors = [
    { title: 'Forbidden', status: 403, type: 'https://api.twitter.com/2/problems/not-authorized-for-resource', detail: 'No' },
  ];
  await expect(find({ json: { errors } }, aContent())).rejects.toMatchObject({ class: 'permission' });
});
