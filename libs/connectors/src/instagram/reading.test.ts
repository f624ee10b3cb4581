import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

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
const gone = new Rejection(400, { error: { code: 100, message: '(#100) metric[1] must be one of the following values: reach, views' } });

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
      return new Rejection(400, { error: { code: 100, message: '(#100) metric[0] must be one of the following values: reach, views' } });
    return names[1] === 'likes' ? gone : { data: names.map((name) => total(name, 3)) };
  });
  const statistics = await account.reading.readAccount(account.call, { ...range, metrics: ['views', 'likes', 'comments'] });
  expect(statistics).toMatchObject({ profileViews: null, websiteClicks: null, rawMetrics: { views: 3, comments: 3 } });
  expect(statistics.unavailable[0]).toMatch(/^Instagram does not provide likes: /);
});

test('a metric that Instagram rejects for a part of a range has a reason, and no total', async () => {
  const tooOld = (at: number) => new Rejection(400, { error: { code: 100, message: `(#100) metric[${at}]: data is kept for 2 years` } });
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
    if (path.endsWith('/stories')) return { data: [] };
    if (path.includes('/2/'))
      return new Rejection(400, {
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

const storyAt = (id: string, timestamp: string) => ({ id, timestamp, media_type: 'IMAGE', media_product_type: 'STORY' });
const mediaAt = (id: string, timestamp: string) => ({ id, timestamp, media_type: 'IMAGE', media_product_type: 'FEED' });

/** The account with these media and stories; each has statistics, except that a story with this id has too few viewers. */
const listing = (media: readonly { readonly id: string }[], stories: () => unknown, unseen = '') =>
  reads((path, { metric = '', limit, after }) => {
    if (path.endsWith(`/${unseen}/insights`))
      return new Rejection(400, { error: { code: 10, message: '(#10) Not enough viewers for the media to show insights' } });
    if (path.endsWith('/insights')) return { data: metric.split(',').map((name) => ({ name, values: [{ value: 7 }] })) };
    if (path.endsWith('/stories')) return stories();
    const start = after === undefined ? 0 : media.findIndex(({ id }) => id === after) + 1;
    const data = media.slice(start, start + Number(limit));
    const next = data.at(-1)?.id;
    const hasMore = start + data.length < media.length;
    return { data, ...(hasMore && { paging: { next: `https://graph.facebook.com/x?after=${next}`, cursors: { after: next } } }) };
  });
const fourMedia = [
  mediaAt('14', '2026-11-20T10:00:00+0000'),
  mediaAt('13', '2026-11-20T08:00:00+0000'),
  mediaAt('12', '2026-11-19T08:00:00+0000'),
  mediaAt('11', '2026-11-01T08:00:00+0000'),
];
const threeStories = [
  storyAt('23', '2026-11-20T09:00:00+0000'),
  storyAt('22', '2026-11-20T07:00:00+0000'),
  storyAt('21', '2026-11-19T20:00:00+0000'),
];

async function listedIds(pageSize: number, afterFirst = () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { posts, next } = await account.reading.listPosts(account.call, { pageSize, cursor });
    pages.push(posts.map(({ publishId }) => publishId));
    if (cursor === undefined) afterFirst();
    cursor = next;
  } while (cursor !== undefined && pages.length < 20);
  return pages;
}

test('stories that are still visible are listed among the media, each once, on pages of any size', async () => {
  await listing(fourMedia, () => ({ data: threeStories }));
  for (const pageSize of [1, 2, 3, 10]) {
    const pages = await listedIds(pageSize);
    expect(pages.flat()).toEqual(['14', '23', '13', '22', '21', '12', '11']);
    expect(Math.max(...pages.map((ids) => ids.length))).toBeLessThanOrEqual(pageSize);
  }
  const { posts } = await account.reading.listPosts(account.call, { pageSize: 10 });
  expect(posts[1]).toMatchObject({ type: 'STORY', mediaType: 'image', stats: { views: 7, reach: 7, shares: 7, saves: null } });
});

test('stories that disappear between two pages do not disturb the list', async () => {
  let visible = threeStories;
  await listing(fourMedia, () => ({ data: visible }));
  expect((await listedIds(2, () => (visible = []))).flat()).toEqual(['14', '23', '13', '12', '11']);
  visible = threeStories;
  expect((await listedIds(2, () => (visible = threeStories.slice(0, 2)))).flat()).toEqual(['14', '23', '13', '22', '12', '11']);
});

test('only stories of the wanted time are listed', async () => {
  await listing([], () => ({ data: threeStories }));
  const [from, until] = [new Date('2026-11-20T07:00:00Z'), new Date('2026-11-20T09:00:00Z')];
  const { posts, next } = await account.reading.listPosts(account.call, { pageSize: 10, from, until });
  expect(posts.map(({ publishId }) => publishId)).toEqual(['22']);
  expect(next).toBeUndefined();
});

test('a story that too few people have seen has no statistics, and a reason', async () => {
  await listing([], () => ({ data: threeStories }), '22');
  const { posts } = await account.reading.listPosts(account.call, { pageSize: 10 });
  expect(posts.map(({ stats }) => stats.reach)).toEqual([7, null, 7]);
  expect(posts.map(({ unavailable }) => unavailable)).toEqual([
    undefined,
    'Instagram has no statistics of stories with fewer than 5 viewers.',
    undefined,
  ]);
});

test('without the permission for stories, the media are listed, and the reason', async () => {
  await listing(fourMedia, () => new Rejection(403, { error: { code: 200, message: '(#200) Requires pages_read_engagement' } }));
  const { unavailable } = await account.reading.listPosts(account.call, { pageSize: 2 });
  expect(unavailable).toBe('Instagram does not allow reading the stories of this account: (#200) Requires pages_read_engagement');
  expect(await listedIds(2)).toEqual([
    ['14', '13'],
    ['12', '11'],
  ]);
});

test('posts of other accounts are not read', async () => {
  await reads((path) =>
    path.endsWith('/insights')
      ? { data: [] }
      : { ...reel, id: path.split('/').at(-1), owner: { id: path.endsWith('/5') ? '666' : '17841' } },
  );
  expect((await account.reading.readPosts(account.call, ['4', '5'])).map(({ publishId }) => publishId)).toEqual(['4']);
});

test('an id of something else, such as the account or a page, is not a post', async () => {
  const nonexisting = (type: string) =>
    new Rejection(400, { error: { code: 100, message: `(#100) Tried accessing nonexisting field (caption) on node type (${type})` } });
  await reads((path) => nonexisting(path.endsWith('/17841') ? 'IGUser' : 'Page'));
  expect(await account.reading.readPosts(account.call, ['17841', '100'])).toEqual([]);
});

test('the reason why one post has no statistics is not given for others', async () => {
  await reads((path, { metric = '' }) => {
    if (path.endsWith('/2/insights'))
      return new Rejection(400, {
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
  const [, since, until] = /since=(\d+)&until=(\d+)/.exec(account.requests()[1] ?? '') ?? [];
  expect(new Date(Number(until) * 1_000).toISOString()).toBe('2026-11-19T08:00:00.000Z');
  expect(Number(until) - Number(since)).toBe(30 * 86_400);
});

test('without the permission for statistics, an account has its followers, and the reason', async () => {
  await reads((path) =>
    path.endsWith('/insights')
      ? new Rejection(403, { error: { code: 10, message: '(#10) Requires instagram_manage_insights' } })
      : { id: '17841', followers_count: 250, follows_count: 12, media_count: 34 },
  );
  const statistics = await account.reading.readAccount(account.call, { ...range, metrics: ['reach', 'views'] });
  expect(statistics).toMatchObject({ followers: 250, postsCount: 34, impressions: null, series: [] });
  expect(statistics.unavailable).toEqual([
    'Instagram does not allow reading some statistics of this account: (#10) Requires instagram_manage_insights',
  ]);
});
