import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content, State } from '../connector.ts';
import { linkedin } from './index.ts';

const page = 'urn:li:organization:55';
const committed = new Date('2026-11-21T10:00:00.000Z');
const post = (id: number, commentary: string, more: object = {}) => ({
  id: `urn:li:share:${id}`,
  author: page,
  commentary,
  publishedAt: committed.getTime() + 1_000,
  lifecycleState: 'PUBLISHED',
  ...more,
});

const listed = (elements: readonly object[], paging: object = { total: elements.length }) => ({ json: { elements, paging } });

let platform: ScriptedPlatform;
const find = async (response: ScriptedResponse | readonly ScriptedResponse[], content: Content, state: State = {}, accountId = page) => {
  platform = await scriptedPlatform([response].flat());
  return linkedin.publish.findPublished(aCall(platform.client.http('linkedin', deadlineIn(1_000)), accountId), content, state, committed);
};
const idsOf = async (elements: readonly object[], content: Content, state?: State) =>
  (await find(listed(elements), content, state)).candidates.map(({ publishId }) => publishId);

afterEach(() => platform.close());

test('the newest posts of a page are read', async () => {
  const finding = await find(listed([post(9, 'Hello world'), post(8, 'Other')]), aContent(), { uploads: [] });
  expect(finding).toEqual({
    proof: 'none',
    candidates: [{ publishId: 'urn:li:share:9', state: { uploads: [], postId: 'urn:li:share:9' } }],
  });
  expect(platform.received).toMatchObject([
    {
      method: 'GET',
      url: 'https://api.linkedin.com/rest/posts',
      query: { q: 'author', author: page, count: '50', sortBy: 'CREATED' },
      headers: { 'x-restli-method': 'FINDER', 'linkedin-version': '202609' },
    },
  ]);
});

const other = post(9, 'Other');
const older = post(7, 'Hello world', { publishedAt: committed.getTime() - 60_000 });
const next = (start: number) => ({
  links: [{ rel: 'next', type: 'application/json', href: `/rest/posts?q=author&count=50&start=${start}` }],
});

test.each([
  [
    'where the link says',
    [listed([other], next(47)), listed([post(8, 'Hello world')], next(95)), listed([older], next(140))],
    ['47', '95'],
  ],
  [
    'after as many as were requested',
    [listed([other], {}), listed([post(8, 'Hello world')], { total: 120 }), listed([], {})],
    ['50', '100'],
  ],
  ['until all are counted', [listed([other], { total: 51 }), listed([post(8, 'Hello world')], { total: 51 })], ['50']],
] satisfies [string, ScriptedResponse[], string[]][])(
  'a page with fewer posts than requested may have a next one: it begins %s',
  async (_where, pages, starts) => {
    const { candidates } = await find(pages, aContent());
    expect(candidates.map(({ publishId }) => publishId)).toEqual(['urn:li:share:8']);
    expect(platform.received.map(({ query }) => query.start)).toEqual([undefined, ...starts]);
  },
);

test('escapes and templates are undone before texts are compared', async () => {
  const caption = 'R&D (2026) #open_source';
  expect(await idsOf([post(9, 'R&D \\(2026\\) {hashtag|\\#|open\\_source}')], aContent({ caption }))).toEqual(['urn:li:share:9']);
  await platform.close();
  expect(await idsOf([post(9, 'R&D ')], aContent({ caption }))).toEqual([]);
});

test('posts that are older or have no date do not match', async () => {
  expect(await idsOf([older, post(6, 'Hello world', { publishedAt: undefined })], aContent())).toEqual([]);
});

test('a post with images matches by the uploaded images, whatever the kind of their URN', async () => {
  const content = aContent({ media: [anImage(), anImage()] });
  const state = { uploads: [{ urn: 'urn:li:image:C1' }, { urn: 'urn:li:image:C2' }] };
  const album = (...ids: string[]) => ({ content: { multiImage: { images: ids.map((id) => ({ id })) } } });
  const elements = [
    post(9, 'Hello world', album('urn:li:digitalmediaAsset:C1', 'urn:li:image:C2')),
    post(8, 'Hello world', album('urn:li:image:C8', 'urn:li:image:C9')),
    post(7, 'Hello world', { content: { media: { id: 'urn:li:image:C1' } } }),
    post(6, 'Hello world'),
  ];
  expect(await idsOf(elements, content, state)).toEqual(['urn:li:share:9']);
});

test('if it is not known what was uploaded, a post matches by the number and the kind of its media', async () => {
  const album = (...ids: string[]) => ({ content: { multiImage: { images: ids.map((id) => ({ id })) } } });
  const elements = [
    post(9, 'Hello world', album('urn:li:digitalmediaAsset:C1', 'urn:li:image:C2')),
    post(8, 'Hello world', album('urn:li:image:C1', 'urn:li:image:C2', 'urn:li:image:C3')),
    post(7, 'Hello world', { content: { media: { id: 'urn:li:video:C1' } } }),
    post(6, 'Hello world', { content: { media: { id: 'urn:li:image:C1' } } }),
    post(5, 'Hello world'),
  ];
  expect(await idsOf(elements, aContent({ media: [anImage(), anImage()] }))).toEqual(['urn:li:share:9']);
  await platform.close();
  expect(await idsOf(elements, aContent({ media: [anImage()] }))).toEqual(['urn:li:share:6']);
});

test('a post with an article card or a poll matches only the same one', async () => {
  const link = 'https://example.com/bread';
  const card = (source: string) => ({ content: { article: { source, title: 'Bread' } } });
  const asked = (question: string) => ({ content: { poll: { question, options: [{ text: 'Rye' }] } } });
  const elements = [
    post(9, 'Hello world', card(`${link}/`)),
    post(8, 'Hello world', card('https://example.com/cake')),
    post(7, 'Hello world', asked('Which bread?')),
    post(6, 'Hello world', asked('Which cake?')),
    post(5, 'Hello world'),
  ];
  expect(await idsOf(elements, aContent({ link, options: { article: true } }))).toEqual(['urn:li:share:9']);
  await platform.close();
  const poll = { question: 'Which bread?', options: ['Rye', 'Wheat'] };
  expect(await idsOf(elements, aContent({ link, options: { poll } }))).toEqual(['urn:li:share:7']);
  await platform.close();
  // A link that is for other platforms.
  expect(await idsOf(elements, aContent({ link }))).toEqual(['urn:li:share:5']);
});

test('the posts of a member cannot be read', async () => {
  expect(await find('drop', aContent(), {}, 'urn:li:person:abc')).toEqual({ proof: 'none', candidates: [], isUnreadable: true });
  expect(platform.received).toEqual([]);
});

test('the duplicate that LinkedIn named when it rejected the post is a candidate, but not a proof', async () => {
  const state = { repeats: 'urn:li:share:71' };
  for (const account of ['urn:li:person:abc', page]) {
    expect(await find('drop', aContent(), state, account)).toEqual({
      proof: 'none',
      candidates: [{ publishId: 'urn:li:share:71', state: { ...state, postId: 'urn:li:share:71' } }],
    });
    await platform.close();
  }
});

test('a list that cannot be read is a failure', async () => {
  await expect(find({ status: 403, json: { code: 'ACCESS_DENIED', message: 'No' } }, aContent())).rejects.toMatchObject({
    class: 'permission',
  });
  await platform.close();
  await expect(find({ text: '{"elements":[' }, aContent())).rejects.toMatchObject({ class: 'transient' });
});
