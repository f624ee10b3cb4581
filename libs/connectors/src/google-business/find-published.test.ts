import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage } from '../../test/a-content.ts';
import { eventOptions } from './test/flows.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content } from '../connector.ts';
import { googleBusiness } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const parent = 'accounts/1/locations/2';
const nameOf = (id: string) => `${parent}/localPosts/${id}`;
const post = (id: string, more: object = {}) => ({
  name: nameOf(id),
  summary: 'Hello world',
  topicType: 'STANDARD',
  state: 'LIVE',
  createTime: '2026-11-21T10:00:01.123456Z',
  ...more,
});

let platform: ScriptedPlatform;
const find = async (response: ScriptedResponse | readonly ScriptedResponse[], content: Content) => {
  platform = await scriptedPlatform([response].flat());
  const call = aCall(platform.client.http('google_business', deadlineIn(1_000)), parent);
  return googleBusiness.publish.findPublished(call, content, {}, committed);
};
const idsOf = async (localPosts: readonly object[], content: Content) => {
  const { candidates } = await find({ json: { localPosts } }, content);
  await platform.close();
  return candidates.map(({ publishId }) => publishId.split('/').at(-1));
};

afterEach(() => platform.close());

test('reads the newest posts of the location, and then polls the matching one like any other post', async () => {
  const finding = await find({ json: { localPosts: [post('9', { state: 'PROCESSING' })] } }, aContent());
  expect(finding).toEqual({ proof: 'none', candidates: [{ publishId: nameOf('9'), state: { name: nameOf('9') } }] });
  expect(platform.received).toMatchObject([
    { url: `https://mybusiness.googleapis.com/v4/${parent}/localPosts`, query: { pageSize: '100' } },
  ]);
  expect(googleBusiness.publish.next(aContent(), finding.candidates[0]?.state ?? {})).toMatchObject({ step: { name: 'await_review' } });
});

test('follows page tokens until the posts are older than the commit', async () => {
  const pages = [
    { json: { localPosts: [post('9', { summary: 'Other' })], nextPageToken: 'page-2' } },
    { json: { localPosts: [post('8'), post('7', { createTime: '2026-11-21T09:59:00Z' })], nextPageToken: 'page-3' } },
  ];
  const { candidates } = await find(pages, aContent());
  expect(candidates.map(({ publishId }) => publishId)).toEqual([nameOf('8')]);
  expect(platform.received.map(({ query }) => query)).toEqual([{ pageSize: '100' }, { pageSize: '100', pageToken: 'page-2' }]);
});

test('only newer posts with the same text, kind and number of images match', async () => {
  const others = [
    post('1', { summary: 'Something else' }),
    post('2', { createTime: '2026-11-21T09:59:00Z' }),
    post('3', { media: [{ mediaFormat: 'PHOTO' }] }),
    post('4', { topicType: 'EVENT', event: { title: 'Open day' } }),
  ];
  expect(await idsOf([...others, post('9', { summary: ' Hello  world\n' })], aContent())).toEqual(['9']);
  expect(await idsOf([post('3', { media: [{ mediaFormat: 'PHOTO' }] }), post('9')], aContent({ media: [anImage()] }))).toEqual(['3']);
  const event = aContent({ options: { topic_type: 'EVENT', event: { ...eventOptions, title: 'Open day' } } });
  const openDay = { topicType: 'EVENT', event: { title: 'Open day' } };
  expect(await idsOf([post('4', openDay), post('9')], event)).toEqual(['4']);
  const untold = { ...openDay, summary: undefined };
  expect(await idsOf([post('4', { ...untold, event: { title: 'Closed day' } }), post('5', untold)], { ...event, caption: '' })).toEqual([
    '5',
  ]);
});

test('a list without the post proves nothing, and a list that cannot be read is an error', async () => {
  expect(await find({ json: {} }, aContent())).toEqual({ proof: 'none', candidates: [] });
  await platform.close();
  await expect(find({ status: 503, json: { error: { status: 'UNAVAILABLE', message: 'Later' } } }, aContent())).rejects.toMatchObject({
    class: 'transient',
  });
});
