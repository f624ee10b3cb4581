import { connectorReading } from './connector-reading.ts';
import { connectPage, mediaServer, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

const MINUTE_MS = 60_000;
let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let page: Awaited<ReturnType<typeof connectPage>>;
/** Oldest first, a minute apart. */
let ids: { first: string; reel: string; draft: string; second: string; video: string; lastReel: string };
beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  page = await connectPage(sandbox, 'facebook', 'pages_show_list,pages_read_engagement,pages_manage_posts,read_insights');
  sandbox.clock.aheadMs = -10 * MINUTE_MS;
  ids = {
    first: await inTurn(() => post('First')),
    reel: await inTurn(() => reel('Kneading')),
    draft: await inTurn(() => reel('Not yet', 'DRAFT')),
    second: await inTurn(() => post('Second')),
    video: await inTurn(async () => ready((await page.post(`${page.pageId}/videos`, { file_url: media.url('reel.mp4') })).body.id)),
    lastReel: await inTurn(() => reel('Baking')),
  };
  sandbox.clock.aheadMs = 0;
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});

async function inTurn(publish: () => Promise<string>): Promise<string> {
  sandbox.clock.aheadMs += MINUTE_MS;
  return publish();
}

const post = async (message: string): Promise<string> => (await page.post(`${page.pageId}/feed`, { message })).body.id;

async function reel(description: string, video_state = 'PUBLISHED'): Promise<string> {
  const { video_id, upload_url } = (await page.post(`${page.pageId}/video_reels`, { upload_phase: 'start' })).body;
  const headers = { authorization: `OAuth ${page.token}`, file_url: media.url('reel.mp4') };
  await sandbox.call(upload_url, { method: 'POST', headers });
  await page.post(`${page.pageId}/video_reels`, { upload_phase: 'finish', video_id, video_state, description });
  return ready(video_id);
}

async function ready(id: string): Promise<string> {
  await until(
    () => page.get(id, { fields: 'status' }),
    ({ body }) => body.status.video_status === 'ready',
  );
  return id;
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const reels = (query: Record<string, string>) => page.get(`${page.pageId}/video_reels`, query);

it('lists reels, and drafts of them, on an edge of their own, newest first', async () => {
  const fields = 'id,description,created_time,published,length,video_insights.metric(blue_reels_play_count)';
  const { body } = await reels({ fields });
  expect(idsOf(body.data)).toEqual([ids.lastReel, ids.draft, ids.reel]);
  expect(body.data.map(({ published }: { published: boolean }) => published)).toEqual([true, false, true]);
  expect(body.data[0]).toMatchObject({ description: 'Baking', length: 3, video_insights: { data: [{ name: 'blue_reels_play_count' }] } });
  const first = (await reels({ fields: 'id', limit: '1' })).body;
  expect(idsOf((await reels({ fields: 'id', after: first.paging.cursors.after })).body.data)).toEqual([ids.draft, ids.reel]);
  const since = String(Date.parse(body.data[1].created_time) / 1_000);
  expect(idsOf((await reels({ fields: 'id', since })).body.data)).toEqual([ids.lastReel, ids.draft]);
  const posts = await page.get(`${page.pageId}/published_posts`, { fields: 'message,attachments{target}' });
  expect(posts.body.data.map(({ message }: { message?: string }) => message)).toEqual([undefined, 'Second', 'First']);
});

it.each([
  ['an unknown field', { fields: 'id,plays' }, 'nonexisting field (plays)'],
  ['a cursor of another list', { after: 'nonsense' }, 'Invalid cursors values'],
  ['an unknown parameter', { page: '2' }, 'Unknown parameter page'],
])('rejects %s of the list of reels', async (_what, query, message) => {
  expect(await reels(query)).toMatchObject({ status: 400, body: { error: { code: 100, message: expect.stringContaining(message) } } });
});

it('is read by the connector, posts and reels as one list', async () => {
  const reader = connectorReading(sandbox, 'facebook', { accountId: page.pageId, username: 'cafe', accessToken: page.token });
  for (const pageSize of [1, 2, 25]) {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const { posts, next } = await reader.list(pageSize, cursor);
      expect(posts.length).toBeLessThanOrEqual(pageSize);
      listed.push(...posts.map(({ publishId }) => publishId));
      cursor = next;
    } while (cursor !== undefined && listed.length < 10);
    expect(listed).toEqual([ids.lastReel, ids.video, ids.second, ids.reel, ids.first]);
  }
  sandbox.clock.aheadMs = 20 * 60 * MINUTE_MS;
  const { posts, unavailable } = await reader.list(25);
  const seen = expect.any(Number) as number;
  expect(unavailable).toBeUndefined();
  expect(posts[0]).toMatchObject({ caption: 'Baking', mediaType: 'video', stats: { likes: seen, views: seen, avgWatchTimeMs: seen } });
  const [byId] = await reader.posts(ids.lastReel);
  expect(byId).toMatchObject({ publishId: ids.lastReel, caption: 'Baking', createdAt: posts[0]?.createdAt, stats: { views: seen } });
  await reader.close();
});
