import { aCall, aContent, anImage, aReel } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content, State } from '../connector.ts';
import { tiktok } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const ok = { code: 'ok', message: '', log_id: '1' };
const creator = { username: 'acme', commentDisabled: false, duetDisabled: false, stitchDisabled: false, isPublic: true };

let platform: ScriptedPlatform;
const find = async (content: Content, state: State, response: ScriptedResponse | readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform([response].flat());
  return tiktok.publish.findPublished(aCall(platform.client.http('tiktok')), content, state, committed);
};
afterEach(() => platform.close());

describe('a video', () => {
  const content = aContent({ media: [aReel({ sizeBytes: 1_000 })] });
  const state = { creator, taskId: 'task-1', uploadUrl: 'https://open-upload.tiktokapis.com/video/?upload_id=1', uploaded: 0 };
  const status = (fields: object): ScriptedResponse => ({ json: { data: fields, error: ok } });

  test.each([
    ['all of whose bytes TikTok has', { status: 'PROCESSING_UPLOAD', uploaded_bytes: 1_000 }],
    ['that is published', { status: 'PUBLISH_COMPLETE' }],
    ['that TikTok gave up: the next step finds out why', { status: 'FAILED', fail_reason: 'internal' }],
  ])('%s was committed', async (_what, fields) => {
    expect(await find(content, state, status(fields))).toEqual({
      proof: 'published',
      candidates: [{ publishId: 'task-1', state: { ...state, committed: true } }],
    });
    expect(platform.received).toMatchObject([
      { url: 'https://open.tiktokapis.com/v2/post/publish/status/fetch/', body: { publish_id: 'task-1' } },
    ]);
  });

  test('that lacks bytes is not published: the upload continues or, if that fails, starts again', async () => {
    const lacking = status({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 });
    const first = await find(content, state, lacking);
    expect(first).toMatchObject({ proof: 'not_published', candidates: [], retryFrom: { taskId: 'task-1', askOffset: true, resumed: 1 } });
    await platform.close();
    expect(await find(content, { ...state, resumed: 1 }, lacking)).toEqual({
      proof: 'not_published',
      candidates: [],
      retryFrom: { rebuilds: 1 },
    });
  });

  test('whose number of received bytes is unknown proves nothing', async () => {
    expect(await find(content, state, status({ status: 'PROCESSING_UPLOAD' }))).toEqual({ proof: 'none', candidates: [] });
  });
});

describe('photos', () => {
  const content = aContent({ media: [anImage()] });
  const post = (id: string, more: object = {}) => ({
    id,
    video_description: 'Hello  world',
    title: '',
    create_time: committed.getTime() / 1_000 + 1,
    share_url: `https://www.tiktok.com/@acme/photo/${id}`,
    ...more,
  });
  const list = (...videos: object[]): ScriptedResponse => ({ json: { data: { videos, cursor: 1, has_more: false }, error: ok } });

  test('are searched among the newest posts: same text, not older than the commit', async () => {
    const old = post('1', { create_time: committed.getTime() / 1_000 - 31 });
    const finding = await find(content, { creator }, list(post('3'), post('2', { video_description: 'Other' }), old));
    expect(finding).toEqual({
      proof: 'none',
      candidates: [
        {
          publishId: '3',
          state: { creator, committed: true, settled: true, postId: '3', postUrl: 'https://www.tiktok.com/@acme/photo/3' },
        },
      ],
    });
    expect(platform.received).toMatchObject([
      {
        url: 'https://open.tiktokapis.com/v2/video/list/',
        query: { fields: 'id,title,video_description,create_time,share_url' },
        body: { max_count: 20 },
      },
    ]);
    expect(tiktok.publish.next(content, finding.candidates[0]?.state ?? {})).toEqual({
      published: { publishId: '3', postUrl: 'https://www.tiktok.com/@acme/photo/3' },
    });
  });

  test('follows cursors, also of empty pages, until the posts are older than the commit', async () => {
    const page = (cursor: number, ...videos: object[]): ScriptedResponse => ({
      json: { data: { videos, cursor, has_more: true }, error: ok },
    });
    const old = post('7', { create_time: committed.getTime() / 1_000 - 31 });
    const pages = [page(3_000, post('9', { video_description: 'Other' })), page(2_000), page(1_000, post('8'), old)];
    const { candidates } = await find(content, { creator }, pages);
    expect(candidates.map(({ publishId }) => publishId)).toEqual(['8']);
    expect(platform.received.map(({ body }) => body)).toEqual([
      { max_count: 20 },
      { max_count: 20, cursor: 3_000 },
      { max_count: 20, cursor: 2_000 },
    ]);
  });

  test('the list has only the beginning of a long text', async () => {
    const caption = 'Fresh bread, every morning. '.repeat(10);
    const beginning = caption.slice(0, 150);
    const posts = list(
      post('3', { video_description: beginning }),
      post('2', { video_description: beginning.slice(0, 149) }),
      post('1', { video_description: `${beginning.slice(0, 149)}!` }),
    );
    const { candidates } = await find({ ...content, caption }, { creator }, posts);
    expect(candidates.map(({ publishId }) => publishId)).toEqual(['3']);
  });

  test('a list without them proves nothing', async () => {
    expect(await find(content, { creator }, list())).toEqual({ proof: 'none', candidates: [] });
  });

  test('a list that cannot be read is a failure', async () => {
    const rejected = { status: 401, json: { data: {}, error: { code: 'scope_not_authorized', message: 'No', log_id: '1' } } };
    await expect(find(content, { creator }, rejected)).rejects.toMatchObject({ class: 'permission' });
    await platform.close();
    const quoting = { json: { error: { code: 'access_token_invalid', message: 'token-of-the-account is invalid' } } };
    await expect(find(content, { creator }, quoting)).rejects.toMatchObject({ class: 'token_expired', message: '*** is invalid' });
  });
});
