import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { State } from '../connector.ts';
import { instagram } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const media = {
  json: {
    data: [
      { id: 'm2', caption: 'Other', timestamp: '2026-11-21T10:00:05+0000' },
      { id: 'm1', caption: 'Hello world', timestamp: '2026-11-21T10:00:04+0000', permalink: 'https://www.instagram.com/p/abc/' },
      { id: 'm0', caption: 'Hello world', timestamp: '2026-11-20T10:00:04+0000' },
    ],
  },
};

let platform: ScriptedPlatform;
const find = async (responses: readonly ScriptedResponse[], options = {}, state: State = { container: 'c1', ready: true }) => {
  platform = await scriptedPlatform(responses);
  const call = aCall(platform.client.http('instagram', deadlineIn(1_000)));
  return instagram.publish.findPublished(call, aContent({ media: [anImage()], options }), state, committed);
};

afterEach(() => platform.close());

test('a published container proves that there is a post; the list has its id', async () => {
  expect(await find([{ json: { status_code: 'PUBLISHED' } }, media])).toEqual({
    proof: 'published',
    candidates: [{ publishId: 'm1', state: { container: 'c1', ready: true, mediaId: 'm1', postUrl: 'https://www.instagram.com/p/abc/' } }],
  });
  expect(platform.received.map(({ url, query: { fields } }) => [url, fields])).toEqual([
    ['https://graph.facebook.com/v25.0/c1', 'status_code,status'],
    ['https://graph.facebook.com/v25.0/100/media', 'id,caption,timestamp,permalink'],
  ]);
});

test.each(['FINISHED', 'EXPIRED'])('a container that is still %s proves that there is none', async (status_code) => {
  expect(await find([{ json: { status_code } }])).toEqual({ proof: 'not_published', candidates: [] });
});

test('without a container the list is searched, but not for a story, which has no text', async () => {
  const { proof, candidates } = await find([media], {}, {});
  expect({ proof, ids: candidates.map(({ publishId }) => publishId) }).toEqual({ proof: 'none', ids: ['m1'] });
  await platform.close();
  expect(await find([], { kind: 'story' }, {})).toEqual({ proof: 'none', candidates: [] });
});

test.each(['IN_PROGRESS', 'ERROR', undefined])('a container that is %s proves nothing', async (status_code) => {
  expect((await find([{ json: { status_code } }, { json: { data: [] } }])).proof).toBe('none');
});

test.each([
  ['post', 'media'],
  ['story', 'stories'],
])('a %s on a later page is found, and no page older than the commit is read', async (kind, edge) => {
  const caption = kind === 'story' ? undefined : 'Hello world';
  const page = (after: string, ...data: object[]) => ({
    json: { data, paging: { cursors: { after }, next: `https://graph.facebook.com/v25.0/100/${edge}?access_token=x&after=${after}` } },
  });
  const other = { id: 'm9', caption: 'Other', timestamp: '2026-11-21T10:00:05+0000' };
  const ours = { id: 'm8', caption, timestamp: '2026-11-21T10:00:04+0000' };
  const older = { id: 'm7', caption, timestamp: '2026-11-21T09:59:00+0000' };
  const pages = [page('page-2', other), page('page-3', ours, older)];
  const { candidates } = await find([{ json: { status_code: 'PUBLISHED' } }, ...pages], { kind });
  expect(candidates.map(({ publishId }) => publishId)).toEqual(['m8']);
  expect(platform.received.map(({ url, query: { limit, after } }) => [url.split('/').at(-1), limit, after])).toEqual([
    ['c1', undefined, undefined],
    [edge, '100', undefined],
    [edge, '100', 'page-2'],
  ]);
});

test('a story is searched among the stories, which have no caption', async () => {
  const stories = { json: { data: [{ id: 's1', timestamp: '2026-11-21T10:00:04+0000' }] } };
  const { candidates } = await find([{ json: { status_code: 'PUBLISHED' } }, stories], { kind: 'story' });
  expect(candidates.map(({ publishId }) => publishId)).toEqual(['s1']);
  expect(platform.calls()[1]).toBe('GET https://graph.facebook.com/v25.0/100/stories');
});
