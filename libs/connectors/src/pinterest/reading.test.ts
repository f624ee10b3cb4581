import { aReading, Refusal, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('pinterest', 'user-1', respond));
afterEach(() => account.close());

const user = { account_type: 'BUSINESS', follower_count: 5, following_count: 1, pin_count: 12, monthly_views: 900 };
const range = { start: '2026-11-01', end: '2026-11-03', period: 'day', metrics: ['IMPRESSION', 'SAVE'] } as const;

test('an account has daily statistics; days that are not counted yet are unknown', async () => {
  await reads((path) => {
    if (!path.endsWith('/analytics')) return user;
    const day = (date: string, data_status: string, impressions: number) => ({
      date,
      data_status,
      metrics: { IMPRESSION: impressions, SAVE: 1, OUTBOUND_CLICK: 2 },
    });
    return { all: { daily_metrics: [day('2026-11-01', 'READY', 10), day('2026-11-02', 'READY', 5), day('2026-11-03', 'PROCESSING', 0)] } };
  });
  const statistics = await account.reading.readAccount(account.call, range);
  expect(statistics).toMatchObject({
    followers: 5,
    following: 1,
    postsCount: 12,
    impressions: 15,
    websiteClicks: 4,
    reach: null,
    unavailable: [],
  });
  expect(statistics.series[0]?.values.map(({ value }) => value)).toEqual([10, 5, null]);
  expect(statistics.rawMetrics).toMatchObject({ monthly_views: 900, SAVE: 2 });
});

test.each([
  ['is a private one', { ...user, account_type: 'PINNER' }, 'Pinterest provides analytics only for business accounts.'],
  ['may not read analytics', user, 'Pinterest does not allow reading the analytics of this account: Not authorized'],
])('an account that %s has no analytics, with a reason', async (_what, shown, reason) => {
  await reads((path) => (path.endsWith('/analytics') ? new Refusal(403, { code: 7, message: 'Not authorized' }) : shown));
  const statistics = await account.reading.readAccount(account.call, range);
  expect(statistics).toMatchObject({ followers: 5, impressions: null, series: [] });
  expect(statistics.unavailable).toEqual([reason]);
});

const pin = {
  ...{ id: '77', created_at: '2026-11-10T00:00:00', title: 'Bread', description: 'Fresh', alt_text: 'A loaf', creative_type: 'REGULAR' },
  media: { media_type: 'image', images: { '150x150': { url: 'https://i.example/s.jpg' }, '1200x': { url: 'https://i.example/l.jpg' } } },
  pin_metrics: { '90d': {}, lifetime_metrics: { pin_click: 3, impression: 50, clickthrough: 4, reaction: 2, comment: 1 } },
};

test('pins are listed with their lifetime statistics, and the list ends before the range', async () => {
  await reads(() => ({ items: [pin, { ...pin, id: '76', created_at: '2025-01-01T00:00:00' }], bookmark: 'more' }));
  expect(await account.reading.listPosts(account.call, { pageSize: 25 })).toMatchObject({ next: 'more', totalCount: null });
  const { posts, next } = await account.reading.listPosts(account.call, { pageSize: 25, from: new Date('2026-01-01T00:00:00Z') });
  expect(posts).toMatchObject([
    {
      publishId: '77',
      altText: 'A loaf',
      mediaUrls: ['https://i.example/l.jpg'],
      stats: { likes: 2, commentCount: 1, impressions: 50, clicks: 4, reach: null },
    },
  ]);
  expect(next).toBeUndefined();
});

test('a carousel and a video have their images; times without a zone are UTC', async () => {
  const images = { '600x': { url: 'https://i.example/1.jpg' } };
  const carousel = {
    ...pin,
    media: { media_type: 'multiple_images', items: [{ images }, { images: { '600x': { url: 'https://i.example/2.jpg' } } }] },
  };
  const video = { ...pin, id: '78', media: { media_type: 'video', duration: 6_000, cover_image_url: 'https://i.example/cover.jpg' } };
  await reads(() => ({ items: [carousel, video], bookmark: null }));
  expect((await account.reading.listPosts(account.call, { pageSize: 25 })).posts).toMatchObject([
    {
      createdAt: new Date('2026-11-10T00:00:00Z'),
      mediaType: 'album',
      thumbnailUrl: 'https://i.example/1.jpg',
      mediaUrls: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
    },
    { mediaType: 'video', thumbnailUrl: 'https://i.example/cover.jpg', stats: { videoDurationMs: 6_000, views: null } },
  ]);
});

test('metrics without a lifetime value come from the analytics of a pin, if the pin is young enough', async () => {
  const video = { ...pin, id: '78', media: { media_type: 'video' } };
  const old = { ...pin, id: '79', created_at: '2026-08-22T12:00:00' };
  const closed = { ...pin, id: '80' };
  const summary = {
    ...{ SAVE: 7, VIDEO_MRC_VIEW: 40, VIDEO_START: 50, QUARTILE_95_PERCENT_VIEW: 10 },
    ...{ VIDEO_V50_WATCH_TIME: 100_310, VIDEO_AVG_WATCH_TIME: 2_507.75 },
  };
  await reads((path) => {
    if (path.endsWith('/80/analytics')) return new Refusal(403, { code: 7, message: 'Not authorized' });
    if (path.endsWith('/analytics')) return { all: { summary_metrics: path.includes('/78/') ? summary : { SAVE: 3 } } };
    return [pin, video, old, closed].find(({ id }) => path.endsWith(`/${id}`));
  });
  const posts = await account.reading.readPosts(account.call, ['77', '78', '79', '80']);
  expect(posts.map(({ stats }) => stats.saves)).toEqual([3, 7, null, null]);
  expect(posts[1]?.stats).toMatchObject({ views: 40, avgWatchTimeMs: 2_508, totalWatchTimeMs: 100_310, completionRate: 0.2 });
  expect(posts[0]?.stats).toMatchObject({ likes: 2, views: null, completionRate: null });
  expect(account.asked().filter((one) => one.includes('/analytics'))).toEqual([
    'GET /v5/pins/77/analytics?start_date=2026-11-10&end_date=2026-11-20&metric_types=SAVE',
    expect.stringMatching(/^GET \/v5\/pins\/78\/analytics\?.*metric_types=SAVE,VIDEO_MRC_VIEW,/),
    expect.stringContaining('/80/analytics'),
  ]);
});

test('a deleted pin is left out', async () => {
  await reads((path) => (path.endsWith('/77') ? pin : new Refusal(404, { code: 50, message: 'Pin not found' })));
  expect((await account.reading.readPosts(account.call, ['77', '78'])).map(({ publishId }) => publishId)).toEqual(['77']);
});
