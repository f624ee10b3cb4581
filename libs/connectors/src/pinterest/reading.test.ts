import { aReading, Refusal, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('pinterest', 'user-1', respond));
afterEach(() => account.close());

const user = { account_type: 'BUSINESS', follower_count: 5, following_count: 1, pin_count: 12, monthly_views: 900 };
const range = { start: '2026-11-01', end: '2026-11-03', period: 'day', metrics: ['IMPRESSION', 'SAVE'] } as const;

test('an account has its days; those that are not counted yet are unknown', async () => {
  await reads((path) => {
    if (!path.endsWith('/analytics')) return user;
    const day = (date: string, data_status: string, impressions: number) => ({
      date,
      data_status,
      metrics: { IMPRESSION: impressions, SAVE: 1, OUTBOUND_CLICK: 2 },
    });
    return { all: { daily_metrics: [day('2026-11-01', 'READY', 10), day('2026-11-02', 'READY', 5), day('2026-11-03', 'PROCESSING', 0)] } };
  });
  const numbers = await account.reading.readAccount(account.call, range);
  expect(numbers).toMatchObject({
    followers: 5,
    following: 1,
    postsCount: 12,
    impressions: 15,
    websiteClicks: 4,
    reach: null,
    unavailable: [],
  });
  expect(numbers.series[0]?.values.map(({ value }) => value)).toEqual([10, 5, null]);
  expect(numbers.rawMetrics).toMatchObject({ monthly_views: 900, SAVE: 2 });
});

test.each([
  ['is a private one', { ...user, account_type: 'PINNER' }],
  ['may not read analytics', user],
])('an account that %s has no analytics, and says why', async (_what, shown) => {
  await reads((path) => (path.endsWith('/analytics') ? new Refusal(403, { code: 7, message: 'Not authorized' }) : shown));
  const numbers = await account.reading.readAccount(account.call, range);
  expect(numbers).toMatchObject({ followers: 5, impressions: null, series: [] });
  expect(numbers.unavailable).toEqual(['Pinterest provides analytics only for business accounts.']);
});

const pin = {
  ...{ id: '77', created_at: '2026-11-10T00:00:00', title: 'Bread', description: 'Fresh', alt_text: 'A loaf', creative_type: 'REGULAR' },
  media: { media_type: 'image', images: { '150x150': { url: 'https://i.example/s.jpg' }, '1200x': { url: 'https://i.example/l.jpg' } } },
  pin_metrics: { '90d': {}, lifetime_metrics: { pin_click: 3, impression: 50, clickthrough: 4, reaction: 2, comment: 1 } },
};

test('pins come with their lifetime numbers, and a list ends before the range', async () => {
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

test('a pin that is gone is left out', async () => {
  await reads((path) => (path.endsWith('/77') ? pin : new Refusal(404, { code: 50, message: 'Pin not found' })));
  expect((await account.reading.readPosts(account.call, ['77', '78'])).map(({ publishId }) => publishId)).toEqual(['77']);
});
