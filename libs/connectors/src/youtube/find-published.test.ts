import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, aVideo } from '../../test/a-content.ts';
import { session } from './test/flows.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
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

test.each([200, 201])('an upload session that responds with %d names its video', async (status) => {
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

test('an upload session that lacks bytes has no video', async () => {
  expect(await find({ status: 308, headers: { range: 'bytes=0-998' } })).toEqual({ proof: 'not_published', candidates: [] });
  await platform.close();
  expect(await find({ status: 308 })).toEqual({ proof: 'not_published', candidates: [] });
});

test('an upload session that has all bytes may still create a video', async () => {
  expect(await find({ status: 308, headers: { range: 'bytes=0-999' } })).toEqual({ proof: 'none', candidates: [] });
});

test.each([404, 410])('an upload session that no longer exists (%d) has no video, unless it is old', async (status) => {
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
])('%s proves nothing', async (_what, response, failureClass) => {
  await expect(find(response)).rejects.toMatchObject({ class: failureClass });
});

test('without an upload session nothing can be proved, and the newest uploads are searched', async () => {
  const upload = (videoId: string, title: string, publishedAt: string) => ({
    snippet: { title, description: content.caption, publishedAt, resourceId: { videoId } },
  });
  const listed = [
    upload('v3', 'Other', '2026-11-21T10:00:06Z'),
    upload('v2', content.caption, '2026-11-21T10:00:05Z'),
    upload('v1', content.caption, '2026-11-20T10:00:05Z'),
  ];
  platform = await scriptedPlatform([
    { json: { items: [{ contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] } },
    { json: { items: listed } },
  ]);
  const call = aCall(platform.client.http('youtube', deadlineIn(1_000)));
  expect(await youtube.publish.findPublished(call, content, {}, committed)).toEqual({
    proof: 'none',
    candidates: [{ publishId: 'v2', state: { videoId: 'v2' } }],
  });
  expect(platform.received[1]?.query).toMatchObject({ part: 'snippet', playlistId: 'UU1' });
});
