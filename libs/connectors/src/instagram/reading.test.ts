import { aReading, Refusal, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('instagram', '17841', respond));
afterEach(() => account.close());

const total = (name: string, value: unknown) => ({ name, period: 'day', total_value: { value } });
const shares = (...buckets: readonly (readonly [string, number])[]) => ({
  data: [
    {
      name: 'follower_demographics',
      total_value: { breakdowns: [{ results: buckets.map(([bucket, value]) => ({ dimension_values: [bucket], value })) }] },
    },
  ],
});
const range = { start: '2026-11-01', end: '2026-11-03', period: 'day' } as const;
const gone = new Refusal(400, { error: { code: 100, message: '(#100) metric[1] must be one of the following values: reach, views' } });

test('an account has totals of the range, daily reach, and its audience', async () => {
  await reads((path, { metric = '', metric_type, breakdown }) => {
    if (!path.endsWith('/insights')) return { id: '17841', followers_count: 250, follows_count: 12, media_count: 34 };
    if (breakdown !== undefined) {
      return shares(
        ...(
          {
            age: [
              ['18-24', 30],
              ['25-34', 10],
            ],
            gender: [
              ['F', 1],
              ['M', 1],
              ['U', 2],
            ],
            country: [['DE', 5]],
            city: [['Berlin, Berlin', 5]],
          } as const
        )[breakdown as 'age'],
      );
    }
    if (metric_type === 'time_series') return { data: [{ name: 'reach', values: [{ value: 4, end_time: '2026-11-02T08:00:00+0000' }] }] };
    if (metric.includes('profile_views')) return { data: [total('profile_views', 9), total('website_clicks', 2)] };
    return { data: [total('reach', 11), total('views', 40)] };
  });
  const statistics = await account.reading.readAccount(account.call, { ...range, metrics: ['reach', 'views'] });
  expect(statistics).toMatchObject({
    ...{ followers: 250, following: 12, postsCount: 34, impressions: 40, reach: 11, profileViews: 9, websiteClicks: 2 },
    audience: {
      age: { '18-24': 0.75, '25-34': 0.25 },
      gender: { FEMALE: 0.25, MALE: 0.25, UNKNOWN: 0.5 },
      country: { DE: 1 },
      city: { 'Berlin, Berlin': 1 },
      industry: null,
    },
    unavailable: [],
  });
  expect(statistics.series).toEqual([
    { name: 'reach', period: 'day', values: [{ endTime: new Date('2026-11-02T08:00:00Z'), value: 4 }] },
    { name: 'views', period: 'range', values: [{ endTime: new Date('2026-11-04T08:00:00Z'), value: 40 }] },
  ]);
});

test('views are added up over parts of a range, but people are not', async () => {
  await reads((path, { metric = '' }) => {
    if (!path.endsWith('/insights')) return { id: '17841', followers_count: 12 };
    return { data: metric.split(',').map((name) => total(name, 10)) };
  });
  const statistics = await account.reading.readAccount(account.call, {
    start: '2026-09-01',
    end: '2026-10-31',
    period: 'day',
    metrics: ['views'],
  });
  // 61 days are three calls.
  expect(statistics).toMatchObject({ impressions: 30, reach: null, audience: { age: null } });
  expect(statistics.unavailable).toEqual([
    'Instagram counts people for at most 30 days at once: there is no total of reach for a longer range.',
    'Instagram provides the audience only for accounts with at least 100 followers.',
  ]);
});

test('metrics that Instagram has withdrawn are left out by their index in the list', async () => {
  await reads((path, { metric = '' }) => {
    if (!path.endsWith('/insights')) return { id: '17841', followers_count: 12 };
    const names = metric.split(',');
    if (names.includes('profile_views') || names.includes('website_clicks'))
      return new Refusal(400, { error: { code: 100, message: '(#100) metric[0] must be one of the following values: reach, views' } });
    return names[1] === 'likes' ? gone : { data: names.map((name) => total(name, 3)) };
  });
  const statistics = await account.reading.readAccount(account.call, { ...range, metrics: ['views', 'likes', 'comments'] });
  expect(statistics).toMatchObject({ profileViews: null, websiteClicks: null, rawMetrics: { views: 3, comments: 3 } });
  expect(statistics.unavailable[0]).toMatch(/^Instagram does not provide likes: /);
});

test('a metric that Instagram rejects for a part of a range has a reason, and no total', async () => {
  const tooOld = (at: number) => new Refusal(400, { error: { code: 100, message: `(#100) metric[${at}]: data is kept for 2 years` } });
  await reads((path, { metric = '', metric_type, since }) => {
    if (!path.endsWith('/insights')) return { id: '17841', followers_count: 12 };
    const names = metric.split(',');
    const isLater = Number(since) > Date.parse('2026-09-02T00:00:00Z') / 1_000;
    if (metric_type === 'time_series')
      return isLater ? { data: [{ name: 'reach', values: [{ value: 4, end_time: '2026-10-02T08:00:00+0000' }] }] } : tooOld(0);
    if (!isLater && names.includes('views')) return tooOld(names.indexOf('views'));
    return { data: names.map((name) => total(name, 10)) };
  });
  const statistics = await account.reading.readAccount(account.call, {
    ...{ start: '2026-09-01', end: '2026-10-31', period: 'day' },
    metrics: ['reach', 'views', 'likes'],
  });
  expect(statistics).toMatchObject({ impressions: null, reach: null });
  expect(statistics.rawMetrics).not.toHaveProperty('views');
  expect(statistics.rawMetrics).toMatchObject({ likes: 30 });
  expect(statistics.series.map(({ name }) => name)).toEqual(['reach', 'likes']);
  expect(statistics.unavailable.filter((reason) => reason.includes('2 years'))).toEqual([
    'Instagram provides reach, views only from 2026-10-01 on: (#100) metric[0]: data is kept for 2 years',
  ]);
});

const reel = {
  id: '1',
  media_type: 'VIDEO',
  media_product_type: 'REELS',
  timestamp: '2026-11-10T08:00:00+0000',
  like_count: 3,
  comments_count: 1,
  media_url: 'https://cdn.example/1.mp4',
  thumbnail_url: 'https://cdn.example/1.jpg',
  caption: 'Reel',
};
const old = { id: '2', media_type: 'IMAGE', media_product_type: 'FEED', timestamp: '2020-01-01T08:00:00+0000', like_count: 8 };

test('posts have the statistics of their type; posts from before the account became professional have none', async () => {
  await reads((path, { metric = '' }) => {
    if (path.endsWith('/media')) return { data: [reel, old] };
    if (path.includes('/2/'))
      return new Refusal(400, {
        error: { code: 100, error_subcode: 2_108_006, message: 'Media posted before business account conversion' },
      });
    return { data: metric.split(',').map((name, index) => ({ name, values: [{ value: index }] })) };
  });
  const { posts, unavailable } = await account.reading.listPosts(account.call, { pageSize: 10 });
  expect(posts[0]).toMatchObject({
    ...{ publishId: '1', mediaType: 'video', type: 'REELS', thumbnailUrl: 'https://cdn.example/1.jpg' },
    stats: { likes: 3, commentCount: 1, views: 0, reach: 1, saves: 2, shares: 3, avgWatchTimeMs: 4, totalWatchTimeMs: 5, clicks: null },
  });
  expect(posts[1]).toMatchObject({ publishId: '2', stats: { likes: 8, commentCount: null, views: null } });
  expect(unavailable).toContain('before the account became a professional account');
});

test('posts of other accounts are not read', async () => {
  await reads((path) =>
    path.endsWith('/insights')
      ? { data: [] }
      : { ...reel, id: path.split('/').at(-1), owner: { id: path.endsWith('/5') ? '666' : '17841' } },
  );
  expect((await account.reading.readPosts(account.call, ['4', '5'])).map(({ publishId }) => publishId)).toEqual(['4']);
});

test('an id that is not that of a post, such as that of the account or of a page, is no post', async () => {
  const nonexisting = (type: string) =>
    new Refusal(400, { error: { code: 100, message: `(#100) Tried accessing nonexisting field (caption) on node type (${type})` } });
  await reads((path) => nonexisting(path.endsWith('/17841') ? 'IGUser' : 'Page'));
  expect(await account.reading.readPosts(account.call, ['17841', '100'])).toEqual([]);
});

test('a post that is read by its id says why it has no statistics, and does not say it of others', async () => {
  await reads((path, { metric = '' }) => {
    if (path.endsWith('/2/insights'))
      return new Refusal(400, {
        error: { code: 100, error_subcode: 2_108_006, message: 'Media posted before business account conversion' },
      });
    if (path.endsWith('/insights')) return { data: metric.split(',').map((name) => ({ name, values: [{ value: 1 }] })) };
    return path.endsWith('/2') ? old : reel;
  });
  const [first, second] = await account.reading.readPosts(account.call, ['1', '2']);
  expect(first).not.toHaveProperty('unavailable');
  expect(second?.unavailable).toContain('before the account became a professional account');
});

test('the range in which clocks are set back is no longer than Instagram allows', async () => {
  await reads((path) => (path.endsWith('/insights') ? { data: [] } : { id: '17841' }));
  await account.reading.readAccount(account.call, { start: '2026-10-20', end: '2026-11-18', period: 'day', metrics: [] });
  const [, since, until] = /since=(\d+)&until=(\d+)/.exec(account.asked()[1] ?? '') ?? [];
  expect(new Date(Number(until) * 1_000).toISOString()).toBe('2026-11-19T08:00:00.000Z');
  expect(Number(until) - Number(since)).toBe(30 * 86_400);
});

test('without the permission for statistics, an account has its followers, and the reason', async () => {
  await reads((path) =>
    path.endsWith('/insights')
      ? new Refusal(403, { error: { code: 10, message: '(#10) Requires instagram_manage_insights' } })
      : { id: '17841', followers_count: 250, follows_count: 12, media_count: 34 },
  );
  const statistics = await account.reading.readAccount(account.call, { ...range, metrics: ['reach', 'views'] });
  expect(statistics).toMatchObject({ followers: 250, postsCount: 34, impressions: null, series: [] });
  expect(statistics.unavailable).toEqual([
    'Instagram does not allow reading some statistics of this account: (#10) Requires instagram_manage_insights',
  ]);
});
