import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, aVideo } from '../../test/a-content.ts';
import { session } from './test/flows.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform.ts';
import { youtube } from './index.ts';

const content = aContent({ media: [aVideo({ sizeBytes: 1_000 })] });
const committed = new Date('2026-11-21T10:00:00.000Z');
const at = (time: string) => ({ date: new Date(time).toUTCString() });

let platform: ScriptedPlatform;
afterEach(() => platform.close());
const find = async (response: ScriptedResponse, state: object = { sessionUrl: session, offset: 0 }) => {
  platform = await scriptedPlatform([response]);
  return youtube.publish.findPublished(aCall(platform.client.http('youtube', deadlineIn(1_000))), content, { ...state }, committed);
};

test.each([200, 201])('a session that answers %d names the video that came of it', async (status) => {
  expect(await find({ status, json: { id: 'v1' } })).toEqual({
    proof: 'published',
    candidates: [{ publishId: 'v1', state: { videoId: 'v1' } }],
  });
  expect(platform.received).toMatchObject([
    {
      method: 'PUT',
      url: 'https://www.googleapis.com/upload/youtube/v3/videos',
      headers: { 'content-range': 'bytes */1000', 'content-length': '0' },
    },
  ]);
});

test('a session that lacks bytes has made no video', async () => {
  expect(await find({ status: 308, headers: { range: 'bytes=0-998' } })).toEqual({ proof: 'not_published', candidates: [] });
  await platform.close();
  expect(await find({ status: 308 })).toEqual({ proof: 'not_published', candidates: [] });
});

test('a session that has all bytes may still make one', async () => {
  expect(await find({ status: 308, headers: { range: 'bytes=0-999' } })).toEqual({ proof: 'none', candidates: [] });
});

test.each([404, 410])('a session that is gone (%d) has made no video, unless it is old', async (status) => {
  const gone = (time: string) => ({ status, text: 'Not Found', headers: { ...at(time), 'x-guploader-uploadid': 'u1' } });
  expect((await find(gone('2026-11-21T10:05:00Z'))).proof).toBe('not_published');
  await platform.close();
  expect((await find(gone('2026-11-28T10:00:00Z'))).proof).toBe('none');
});

test.each<[string, ScriptedResponse, string]>([
  ['an expired token', { status: 401, json: { error: { code: 401, message: 'No', errors: [{ reason: 'authError' }] } } }, 'token_expired'],
  ["somebody else's 404", { status: 404, text: 'Not Found' }, 'transient'],
  ["somebody else's redirect", { status: 308, headers: { location: 'https://example.com' } }, 'transient'],
  ['an outage', { status: 503, text: '<html>' }, 'transient'],
  ['a success that names no video', { json: {} }, 'transient'],
  ['a range that cannot be read', { status: 308, headers: { range: 'bytes=7-9' } }, 'transient'],
])('%s tells nothing', async (_what, response, failureClass) => {
  await expect(find(response)).rejects.toMatchObject({ class: failureClass });
});

test('without a session nobody can tell', async () => {
  expect(await find('drop', {})).toEqual({ proof: 'none', candidates: [] });
  expect(platform.received).toEqual([]);
});
