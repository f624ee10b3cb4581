import { connectorReading } from './connector-reading.ts';
import { connectPage, mediaServer, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const scopes = 'pages_show_list,pages_read_engagement,instagram_basic,instagram_content_publish,instagram_manage_insights';
let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let page: Awaited<ReturnType<typeof connectPage>>;
let ig: string;
let photo: string;
let reel: string;
let story: string;
let carousel: string;
beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  page = await connectPage(sandbox, 'instagram', scopes);
  ig = page.instagramId;
  // A minute apart: the platform writes times in seconds.
  sandbox.clock.aheadMs = -5 * MINUTE_MS;
  photo = await publish({ image_url: media.url('square.jpg'), caption: 'Bread' });
  reel = await publish({ media_type: 'REELS', video_url: media.url('reel.mp4'), caption: 'Kneading' });
  story = await publish({ media_type: 'STORIES', image_url: media.url('tall.jpg') });
  const children = [
    await container({ image_url: media.url('square.jpg'), is_carousel_item: true }),
    await container({ image_url: media.url('second.jpg'), is_carousel_item: true }),
  ];
  carousel = await publish({ media_type: 'CAROUSEL', children: children.join(','), caption: 'Two' });
  sandbox.clock.aheadMs = 0;
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});
afterEach(() => {
  sandbox.clock.aheadMs = 0;
});

async function container(fields: Record<string, unknown>): Promise<string> {
  const { id } = (await page.post(`${ig}/media`, fields)).body;
  await until(
    () => page.get(id, { fields: 'status_code' }),
    ({ body }) => body.status_code === 'FINISHED',
  );
  return id;
}
async function publish(fields: Record<string, unknown>): Promise<string> {
  sandbox.clock.aheadMs += MINUTE_MS;
  return (await page.post(`${ig}/media_publish`, { creation_id: await container(fields) })).body.id;
}

const day = (back: number) => new Date(Date.now() - back * 24 * HOUR_MS).toISOString().slice(0, 10);
const total = { period: 'day', metric_type: 'total_value', since: day(3), until: day(0) };
const daily = { ...total, metric_type: 'time_series' };
const people = { metric: 'follower_demographics', period: 'lifetime', metric_type: 'total_value', breakdown: 'age' };
const insights = (query: Record<string, string>) => page.get(`${ig}/insights`, query);

it('counts totals of a range, days of the reach, and followers', async () => {
  const first = await insights({ ...total, metric: 'views,reach' });
  expect(first.body.data).toMatchObject([
    { name: 'views', period: 'day', total_value: { value: expect.any(Number) }, id: `${ig}/insights/views/day` },
    { name: 'reach' },
  ]);
  expect((await insights({ ...total, metric: 'views,reach' })).body).toEqual(first.body);
  const [reach] = (await insights({ ...daily, metric: 'reach' })).body.data;
  expect(reach.values).toHaveLength(3);
  expect(reach.values[0]).toEqual({ value: expect.any(Number), end_time: expect.stringMatching(/T0[78]:00:00\+0000$/) });
  const [ages] = (await insights(people)).body.data;
  expect(ages.total_value.breakdowns[0].dimension_keys).toEqual(['age']);
  const counts = ages.total_value.breakdowns[0].results.map(({ value }: { value: number }) => value);
  expect(counts.reduce((sum: number, count: number) => sum + count)).toBe(3132);
});

it.each([
  ['removed metrics, by their place', { ...total, metric: 'views,profile_views' }, 'metric[1] must be one of the following values'],
  ['days of a metric that has only a total', { ...daily, metric: 'views' }, 'metric_type=total_value'],
  ['an unknown period', { ...total, metric: 'views', period: 'week' }, 'period must be one of'],
  ['more than 30 days', { ...total, metric: 'views', since: day(31) }, 'more than 30 days'],
  ['days of years ago', { ...total, metric: 'views', since: day(800), until: day(790) }, 'last two years'],
  ['an end before the start', { ...total, metric: 'views', until: day(4) }, 'until must be after since'],
  ['an unsupported breakdown', { ...total, metric: 'views', breakdown: 'age' }, 'does not support the breakdown'],
  ['followers by an unknown breakdown', { ...people, breakdown: 'job' }, 'breakdown must be one of'],
  ['followers of a day', { ...people, period: 'day' }, 'period must be one of'],
  ['no metric', { ...total }, 'metric is required'],
])('rejects %s', async (_what, query, message) => {
  expect(await insights(query)).toMatchObject({ status: 400, body: { error: { code: 100, message: expect.stringContaining(message) } } });
});

it.each([
  ['a metric of reels for a photo', () => photo, 'ig_reels_avg_watch_time', 'does not support the ig_reels_avg_watch_time metric'],
  ['profile visits of a reel', () => reel, 'profile_visits', 'does not support the profile_visits metric'],
  ['saves of a story', () => story, 'saved', 'does not support the saved metric'],
  ['impressions', () => photo, 'impressions', 'no longer supported'],
  ['unknown metrics', () => photo, 'views,fame', 'metric[1] must be one of'],
])('rejects %s', async (_what, id, metric, message) => {
  expect(await page.get(`${id()}/insights`, { metric })).toMatchObject({
    status: 400,
    body: { error: { code: 100, message: expect.stringContaining(message) } },
  });
});

it('shows the views that are set', async () => {
  expect((await sandbox.control(`/statistics/${photo}`, { statistics: { views: 4321 } }, 'PUT')).status).toBe(200);
  const [views] = (await page.get(`${photo}/insights`, { metric: 'views' })).body.data;
  expect(views.values).toEqual([{ value: 4321 }]);
});

it('has no insights of stories with few viewers, and no demographics of small accounts', async () => {
  expect(await page.get(`${story}/insights`, { metric: 'reach' })).toMatchObject({ status: 400, body: { error: { code: 10 } } });
  await sandbox.control(`/statistics/${ig}`, { statistics: { followers: 99 } }, 'PUT');
  expect((await insights(people)).body).toEqual({ data: [] });
  await sandbox.control(`/statistics/${ig}`, { statistics: { followers: 3480 } }, 'PUT');
});

it("returns insights only with their permission, and only of the person's own accounts", async () => {
  const other = await connectPage(sandbox, 'instagram', 'pages_show_list,pages_read_engagement,instagram_basic');
  for (const id of [ig, photo]) {
    expect(await other.get(`${id}/insights`, { metric: 'views' })).toMatchObject({
      status: 403,
      body: { error: { code: 200, message: expect.stringContaining('instagram_manage_insights') } },
    });
  }
  const stranger = await sandbox.control('/accounts', { platform: 'instagram', username: 'mill', name: 'The Mill' });
  expect(await page.get(`${stranger.body.id}/insights`, { ...total, metric: 'views' })).toMatchObject({
    status: 400,
    body: { error: { code: 100, error_subcode: 33 } },
  });
});

it('is read by the connector', async () => {
  const reader = connectorReading(sandbox, 'instagram', { accountId: ig, username: 'cafe', accessToken: page.token });
  sandbox.clock.aheadMs = 20 * HOUR_MS;
  const account = await reader.account(['reach', 'views', 'likes', 'accounts_engaged']);
  expect(account).toMatchObject({ followers: 3480, following: 120, postsCount: 3, profileViews: null, unavailable: [] });
  for (const number of [account.impressions, account.reach, account.rawMetrics['likes']]) expect(number).toBeGreaterThan(0);
  expect(account.series.map(({ name, values }) => [name, values.length])).toEqual([
    ['reach', 3],
    ['views', 1],
    ['likes', 1],
    ['accounts_engaged', 1],
  ]);
  for (const shares of [account.audience.age, account.audience.gender, account.audience.country, account.audience.city])
    expect(Object.values(shares ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
  const listed = async (pageSize: number) => {
    const first = await reader.list(pageSize);
    const posts = [...first.posts];
    for (let { next } = first; next !== undefined;) {
      const following = await reader.list(pageSize, next);
      posts.push(...following.posts);
      ({ next } = following);
    }
    return posts;
  };
  for (const pageSize of [1, 2, 10])
    expect((await listed(pageSize)).map(({ publishId }) => publishId)).toEqual([carousel, story, reel, photo]);
  const [newest, second] = await listed(2);
  expect(newest).toMatchObject({ mediaType: 'album', mediaUrls: [expect.any(String), expect.any(String)] });
  expect(second).toMatchObject({ type: 'STORY', mediaType: 'image' });
  const [ofReel, ofStory] = await reader.posts(reel, story, '18009999999999999');
  const seen = expect.any(Number) as number;
  expect(ofReel).toMatchObject({ publishId: reel, stats: { likes: seen, views: seen, reach: seen, saves: seen, avgWatchTimeMs: seen } });
  expect(ofStory).toMatchObject({ publishId: story, stats: { reach: seen } });
  expect(second).toMatchObject({ stats: { views: seen, reach: seen, shares: seen } });
  expect(await reader.posts(carousel)).toMatchObject([{ stats: { views: seen, avgWatchTimeMs: null } }]);
  sandbox.clock.aheadMs = 25 * HOUR_MS;
  expect((await listed(10)).map(({ publishId }) => publishId)).toEqual([carousel, reel, photo]);
  sandbox.clock.aheadMs = 0;
  expect((await listed(10))[1]).toMatchObject({
    publishId: story,
    stats: { views: null },
    unavailable: 'Instagram has no statistics of stories with fewer than 5 viewers.',
  });
  await reader.close();
});
