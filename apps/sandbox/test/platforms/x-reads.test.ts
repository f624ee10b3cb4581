import { connectorReading } from './connector-reading.ts';
import { connectX, reel, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectX>>;
let userId: string;
const ids: string[] = [];
let video: string;
let otherId: string;
let stranger: string;
beforeAll(async () => {
  sandbox = await runningSandbox();
  otherId = (await sandbox.control('/accounts', { platform: 'x', username: 'mill', name: 'The Mill' })).body.id;
  user = await connectX(sandbox);
  userId = (await user.get('users/me')).body.data.id;
  for (let index = 0; index < 6; index++) ids.unshift(await post({ text: `Bread ${index}` }));
  video = await post({ text: 'Kneading', media: { media_ids: [await upload()] } });
  stranger = (await (await connectX(sandbox, undefined, otherId)).post('tweets', { text: 'Flour' })).body.data.id;
});
afterAll(() => sandbox.stop());
afterEach(() => {
  sandbox.clock.aheadMs = 0;
});

const post = async (body: object): Promise<string> => (await user.post('tweets', body)).body.data.id;

async function upload(): Promise<string> {
  const { id } = (
    await user.post('media/upload/initialize', { media_type: 'video/mp4', media_category: 'tweet_video', total_bytes: reel.length })
  ).body.data;
  const form = new FormData();
  form.set('segment_index', '0');
  form.set('media', new Blob([new Uint8Array(reel)]), 'chunk');
  await user.form(`media/upload/${id}/append`, form);
  await user.post(`media/upload/${id}/finalize`);
  return id;
}

const lookUp = (wanted: string[], query = '') => user.get(`tweets?ids=${wanted.join(',')}${query}`);
const numbers = '&post.fields=public_metrics,non_public_metrics,organic_metrics';

it('counts posts, more as they grow older, and returns values that a test sets', async () => {
  const fresh = (await lookUp([ids[0]!], numbers)).body.data[0];
  sandbox.clock.aheadMs = HOUR_MS;
  const { data } = (await lookUp([ids[0]!], numbers)).body;
  expect(data[0].public_metrics.impression_count).toBeGreaterThan(fresh.public_metrics.impression_count);
  expect(data[0].non_public_metrics).toEqual({
    impression_count: data[0].public_metrics.impression_count,
    url_link_clicks: expect.any(Number),
    user_profile_clicks: expect.any(Number),
  });
  await sandbox.control(`/statistics/${ids[0]}`, { statistics: { likes: 77, saves: 5 } }, 'PUT');
  expect((await lookUp([ids[0]!], numbers)).body.data[0].public_metrics).toMatchObject({ like_count: 77, bookmark_count: 5 });
  await sandbox.control(`/statistics/${userId}`, { statistics: { followers: 1000 } }, 'PUT');
  const me = await user.get('users/me?user.fields=public_metrics');
  expect(me.body.data.public_metrics).toMatchObject({ followers_count: 1000, tweet_count: 7, media_count: 1 });
});

it('counts how often a video was played, and how far', async () => {
  sandbox.clock.aheadMs = HOUR_MS;
  const fields = 'duration_ms,public_metrics,non_public_metrics,organic_metrics';
  const { includes } = (await lookUp([video], `&expansions=attachments.media_keys&media.fields=${fields}`)).body;
  const [{ public_metrics, non_public_metrics }] = includes.media;
  expect(non_public_metrics.playback_0_count).toBe(public_metrics.view_count);
  expect(non_public_metrics.playback_100_count).toBeLessThan(public_metrics.view_count);
});

const WATCHED = 'media_key,timestamp,video_views,watch_time_ms,playback_start,playback_complete';
const analytics = (keys: string, more: Record<string, string> = {}, as = user) => {
  const times = { start_time: '2020-01-01T00:00:00Z', end_time: new Date(Date.now() + sandbox.clock.aheadMs).toISOString() };
  const query = { media_keys: keys, ...times, granularity: 'total', 'media_analytics.fields': WATCHED, ...more };
  return as.get(`media/analytics?${new URLSearchParams(query).toString()}`);
};
const keyOf = async (id: string): Promise<string> =>
  (await lookUp([id], '&post.fields=attachments')).body.data[0].attachments.media_keys[0];

it('counts how long a video was watched, as its views and its duration allow', async () => {
  sandbox.clock.aheadMs = HOUR_MS;
  await sandbox.control(`/statistics/${video}`, { statistics: { views: 100, completed: 40 } }, 'PUT');
  const fields = '&expansions=attachments.media_keys&media.fields=duration_ms';
  const [{ media_key, duration_ms }] = (await lookUp([video], fields)).body.includes.media;
  expect((await analytics(`${media_key},7_1`)).body).toEqual({
    data: [
      {
        media_key,
        timestamped_metrics: [
          {
            timestamp: expect.stringMatching(/Z$/),
            metrics: { video_views: 100, watch_time_ms: 70 * duration_ms, playback_start: 100, playback_complete: 40 },
          },
        ],
      },
    ],
    errors: [expect.objectContaining({ resource_id: '7_1', parameter: 'media_keys', title: 'Not Found Error' })],
  });
});

it('has no analytics of media of others, and none without the permission', async () => {
  const key = await keyOf(video);
  const other = await connectX(sandbox, undefined, otherId);
  expect((await analytics(key, {}, other)).body).toEqual({ errors: [expect.objectContaining({ resource_id: key })] });
  expect(await analytics(key, {}, await connectX(sandbox, 'users.read tweet.write'))).toMatchObject({ status: 403 });
});

it.each([
  ['no media', { media_keys: '' }],
  ['101 media', { media_keys: Array.from({ length: 101 }, (_, at) => `7_${at}`).join(',') }],
  ['a malformed media key', { media_keys: '7-1' }],
  ['an unknown field', { 'media_analytics.fields': 'watch_time' }],
  ['an unknown parameter', { 'media.fields': 'url' }],
  ['another granularity', { granularity: 'weekly' }],
  ['no start', { start_time: '' }],
  ['a start after the end', { start_time: '2026-11-02T00:00:00Z', end_time: '2026-11-01T00:00:00Z' }],
  ['an end in the future', { end_time: '2100-01-01T00:00:00Z' }],
])('rejects media analytics of %s', async (_what, more) => {
  expect((await analytics('7_1', more)).status).toBe(400);
});

it.each([
  ['posts of others', () => stranger, 0],
  ['posts of more than 30 days ago', () => video, 31],
])('has no private metrics of %s', async (_what, id, days) => {
  sandbox.clock.aheadMs = days * DAY_MS;
  const { access_token } = (await connectX(sandbox)).tokens;
  const read = (query: string) =>
    sandbox.call(`https://api.x.com/2/tweets?ids=${id()}${query}`, { headers: { authorization: `Bearer ${access_token}` } });
  expect(await read(numbers)).toMatchObject({
    status: 200,
    body: { errors: [{ title: 'Field Authorization Error', field: 'non_public_metrics', resource_id: id() }] },
  });
  expect((await read('&post.fields=public_metrics')).body.data).toMatchObject([{ id: id() }]);
});

it('reports posts that do not exist, together with the others', async () => {
  const gone = await post({ text: 'Stale' });
  await sandbox.call(`https://api.x.com/2/tweets/${gone}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${user.tokens.access_token}` },
  });
  expect((await lookUp([gone, ids[0]!])).body).toMatchObject({ data: [{ id: ids[0] }], errors: [{ resource_id: gone, parameter: 'ids' }] });
});

it.each([
  ['101 posts at once', `tweets?ids=${Array.from({ length: 101 }, (_, at) => at + 1).join(',')}`, 400],
  ['malformed ids', 'tweets?ids=12a', 400],
  ['no ids', 'tweets', 400],
  ['unknown fields', 'tweets?ids=1&post.fields=author_id', 400],
  ['a user that does not exist', 'users/1/tweets', 404],
  ['a start after the end', 'users/USER/tweets?start_time=2026-11-02T00:00:00Z&end_time=2026-11-01T00:00:00Z', 400],
])('rejects %s', async (_what, path, status) => {
  expect((await user.get(path.replace('USER', userId))).status).toBe(status);
});

it('returns posts only with the permission', async () => {
  const other = await connectX(sandbox, 'users.read tweet.write');
  expect(await other.get(`tweets?ids=${video}`)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('tweet.read') } });
});

it('is read by the connector', async () => {
  sandbox.clock.aheadMs = HOUR_MS;
  const reader = connectorReading(sandbox, 'x', { accountId: userId, username: 'fanfare_demo', accessToken: user.tokens.access_token });
  const seen = expect.any(Number) as number;
  const account = await reader.account([]);
  expect(account).toMatchObject({ followers: seen, following: 64, postsCount: 7 });
  const first = await reader.list(5);
  const second = await reader.list(5, first.next);
  expect([...first.posts, ...second.posts].map(({ publishId }) => publishId)).toEqual([video, ...ids]);
  expect(second.next).toBeUndefined();
  const stats = { likes: seen, commentCount: 0, impressions: seen, shares: seen, saves: seen, clicks: seen };
  expect(first.posts[0]).toMatchObject({
    mediaType: 'video',
    stats: { ...stats, views: seen, completionRate: seen, videoViewsOrganic: seen, totalWatchTimeMs: seen, avgWatchTimeMs: seen },
  });
  const { avgWatchTimeMs, totalWatchTimeMs, videoDurationMs } = first.posts[0]!.stats;
  expect(avgWatchTimeMs).toBeLessThan(videoDurationMs!);
  expect(totalWatchTimeMs).toBeGreaterThan(avgWatchTimeMs!);
  await sandbox.control('/faults', {
    platform: 'x',
    call: 'x.get_media_analytics',
    fault: { type: 'status', status: 403 },
  });
  expect(await reader.posts(video)).toMatchObject([{ stats: { likes: seen, views: seen, totalWatchTimeMs: null, avgWatchTimeMs: null } }]);
  expect(await reader.posts(ids[0]!, stranger, '1')).toMatchObject([{ publishId: ids[0], stats: { ...stats, views: null } }]);
  // Old posts have only public metrics.
  sandbox.clock.aheadMs = 40 * DAY_MS;
  const { tokens } = await connectX(sandbox);
  const later = connectorReading(sandbox, 'x', { accountId: userId, username: '', accessToken: tokens.access_token });
  expect(await later.posts(video)).toMatchObject([{ stats: { likes: seen, clicks: null, views: seen } }]);
  expect((await later.list(5)).posts).toHaveLength(5);
  expect(await later.posts('1')).toEqual([]);
  await Promise.all([reader.close(), later.close()]);
});
