import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage, aVideo } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content } from '../connector.ts';
import { pinterest } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const content = aContent({ options: { board_id: '77' }, title: 'A title', link: 'https://example.com', media: [anImage()] });
const pin = (id: string, more: object = {}) => ({
  id,
  created_at: '2026-11-21T10:00:01',
  title: 'A title',
  description: 'Hello world',
  link: 'https://example.com/',
  media: { media_type: 'image' },
  ...more,
});

let platform: ScriptedPlatform;
const find = async (response: ScriptedResponse | readonly ScriptedResponse[], sought: Content = content, state = {}) => {
  platform = await scriptedPlatform([response].flat());
  return pinterest.publish.findPublished(aCall(platform.client.http('pinterest', deadlineIn(1_000))), sought, state, committed);
};
const idsOf = async (pins: readonly object[], sought?: Content) =>
  (await find({ json: { items: pins, bookmark: null } }, sought)).candidates.map(({ publishId }) => publishId);

afterEach(() => platform.close());

test('reads the newest pins of the board, and continues with the matching pin', async () => {
  const finding = await find({ json: { items: [pin('9'), pin('8', { title: 'Other' })] } }, content, { refetches: 1 });
  expect(finding).toEqual({ proof: 'none', candidates: [{ publishId: '9', state: { refetches: 1, pinId: '9' } }] });
  expect(pinterest.publish.next(content, finding.candidates[0]?.state ?? {})).toEqual({
    published: { publishId: '9', postUrl: 'https://www.pinterest.com/pin/9/' },
  });
  expect(platform.received).toMatchObject([{ url: 'https://api.pinterest.com/v5/boards/77/pins', query: { page_size: '100' } }]);
});

test('follows bookmarks until the pins are older than the commit', async () => {
  const pages = [
    { json: { items: [pin('9', { title: 'Other' })], bookmark: 'page-2' } },
    { json: { items: [pin('8'), pin('7', { created_at: '2026-11-21T09:59:00' })], bookmark: 'page-3' } },
  ];
  const { candidates } = await find(pages);
  expect(candidates.map(({ publishId }) => publishId)).toEqual(['8']);
  expect(platform.received.map(({ query }) => query)).toEqual([{ page_size: '100' }, { page_size: '100', bookmark: 'page-2' }]);
});

test('a pin of a section is searched in the section', async () => {
  await idsOf([], { ...content, options: { board_id: '77', board_section_id: '78' } });
  expect(platform.calls()).toEqual(['GET https://api.pinterest.com/v5/boards/77/sections/78/pins']);
});

test.each([
  ['another title', { title: 'Another' }],
  ['another description', { description: 'Another' }],
  ['another link', { link: 'https://example.com/other' }],
  ['no link', { link: null }],
  ['a video in it', { media: { media_type: 'video' } }],
  ['an earlier date', { created_at: '2026-11-21T09:59:00' }],
  ['no date', { created_at: null }],
])('a pin with %s does not match', async (_what, more) => {
  expect(await idsOf([pin('9', more)])).toEqual([]);
});

test('fields that were not sent match null and empty values', async () => {
  const bare = aContent({ options: { board_id: '77' }, caption: '', media: [aVideo()] });
  const found = await idsOf([pin('9', { title: null, description: '', link: null, media: { media_type: 'video' } })], bare);
  expect(found).toEqual(['9']);
});

test.each([
  ['an empty list proves nothing', { json: { items: [] } }],
  ['neither does a list of other pins', { json: { items: [pin('8', { title: 'Other' })] } }],
])('%s', async (_what, response) => {
  expect(await find(response)).toEqual({ proof: 'none', candidates: [] });
});

test.each([
  ['an error in a success', { status: 200, json: { code: 2, message: 'No.' } }, 'transient'],
  ['a page', { status: 200, text: '<html>' }, 'transient'],
  ['a board that is gone', { status: 404, json: { code: 40, message: 'Board not found.' } }, 'validation'],
  ['an expired token', { status: 401, json: { code: 2, message: 'Authentication failed.' } }, 'token_expired'],
] satisfies [string, ScriptedResponse, string][])('%s is no empty list', async (_what, response, failureClass) => {
  await expect(find(response)).rejects.toMatchObject({ class: failureClass });
});
