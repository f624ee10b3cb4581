import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('pinterest', 'user-1', respond));
afterEach(() => account.close());

const user = { account_type: 'BUSINESS', follower_count: 5, following_count: 1, pin_count: 12, monthly_views: 900 };
const NO_AD_ACCOUNTS = { items: [], bookmark: null };
const NOT_AUTHORIZED = new Rejection(403, { code: 7, message: 'Not authorized' });
const range = { start: '2026-11-01', end: '2026-11-03', period: 'day', metrics: ['IMPRESSION', 'SAVE'] } as const;

test('an account has daily statistics; days that are not counted yet are unknown', async () => {
  await reads((path) => {
    if (path.endsWith('/ad_accounts')) return NO_AD_ACCOUNTS;
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
  });
  expect(statistics.series[0]?.values.map(({ value }) => value)).toEqual([10, 5, null]);
  expect(statistics.rawMetrics).toMatchObject({ monthly_views: 900, SAVE: 2 });
});

test.each([
  ['is a private one', { ...user, account_type: 'PINNER' }, 'Pinterest provides analytics only for business accounts.'],
  ['may not read analytics', user, 'Pinterest does not allow reading some statistics of this account: Not authorized'],
])('an account that %s has no analytics, with a reason', async (_what, shown, reason) => {
  await reads((path) => (/analytics$|ad_accounts/.test(path) ? NOT_AUTHORIZED : shown));
  const statistics = await account.reading.readAccount(account.call, range);
  expect(statistics).toMatchObject({ followers: 5, impressions: null, series: [] });
  expect(statistics.unavailable).toEqual([reason]);
});

const analytics = { all: { daily_metrics: [{ date: '2026-11-01', data_status: 'READY', metrics: { IMPRESSION: 10 } }] } };
const adAccounts = { items: [{ id: '5497', name: 'Acme' }], bookmark: null };
const shares = (of: Record<string, number>) => Object.entries(of).map(([key, ratio]) => ({ key, name: key, ratio }));
const readsAudience = (ofAccounts: unknown, insights?: unknown) =>
  reads((path) => {
    if (path.endsWith('/ad_accounts')) return ofAccounts;
    if (path.endsWith('/audience_insights')) return insights;
    return path.endsWith('/analytics') ? analytics : user;
  });

test('the owner of an ad account has an audience by age and gender', async () => {
  const demographics = {
    ages: shares({ '18-24': 0.25, '65+': 0.75 }),
    genders: shares({ female: 0.6, MALE: 0.3, unspecified: 0.06, unknown: 0.04 }),
    countries: shares({ de: 1 }),
  };
  await readsAudience(adAccounts, { type: 'YOUR_TOTAL_AUDIENCE', demographics });
  const { audience, unavailable } = await account.reading.readAccount(account.call, range);
  expect(audience).toMatchObject({
    age: { '18-24': 0.25, '65+': 0.75 },
    gender: { FEMALE: 0.6, MALE: 0.3, UNKNOWN: 0.1 },
    country: null,
  });
  expect(unavailable).toEqual([]);
  expect(account.requests().slice(2)).toEqual([
    'GET /v5/ad_accounts?page_size=1&include_shared_accounts=false',
    'GET /v5/ad_accounts/5497/audience_insights?audience_insight_type=YOUR_TOTAL_AUDIENCE',
  ]);
});

test.each([
  ['that owns no ad account', NO_AD_ACCOUNTS, undefined, ['Pinterest provides the audience only for accounts that own an ad account.']],
  [
    'whose ad accounts may not be read',
    NOT_AUTHORIZED,
    undefined,
    ['Pinterest does not allow reading some statistics of this account: Not authorized'],
  ],
  [
    'whose audience Pinterest rejects',
    adAccounts,
    new Rejection(400, { code: 1, message: 'The audience is too small' }),
    ['Pinterest has no insights into the audience of this account.'],
  ],
  ['whose audience has no demographics', adAccounts, { type: 'YOUR_TOTAL_AUDIENCE' }, []],
])('an account %s has all statistics but the audience', async (_what, ofAccounts, insights, reasons) => {
  await readsAudience(ofAccounts, insights);
  expect(await account.reading.readAccount(account.call, range)).toMatchObject({
    ...{ followers: 5, impressions: 10, audience: { age: null, gender: null } },
    unavailable: reasons,
  });
});

test('the audience of an account that was connected without its scope is not requested', async () => {
  await readsAudience(adAccounts);
  const call = { ...account.call, scopes: ['user_accounts:read'] };
  expect(await account.reading.readAccount(call, range)).toMatchObject({
    ...{ followers: 5, impressions: 10, audience: { age: null, gender: null } },
    unavailable: ['Pinterest provides the audience only for accounts that were connected with the permission ads:read.'],
  });
  expect(account.requests()).toHaveLength(2);
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
    if (path.endsWith('/80/analytics')) return new Rejection(403, { code: 7, message: 'Not authorized' });
    if (path.endsWith('/analytics')) return { all: { summary_metrics: path.includes('/78/') ? summary : { SAVE: 3 } } };
    return [pin, video, old, closed].find(({ id }) => path.endsWith(`/${id}`));
  });
  const posts = await account.reading.readPosts(account.call, ['77', '78', '79', '80']);
  expect(posts.map(({ stats }) => stats.saves)).toEqual([3, 7, null, null]);
  expect(posts[1]?.stats).toMatchObject({ views: 40, avgWatchTimeMs: 2_508, totalWatchTimeMs: 100_310, completionRate: 0.2 });
  expect(posts[0]?.stats).toMatchObject({ likes: 2, views: null, completionRate: null });
  expect(account.requests().filter((one) => one.includes('/analytics'))).toEqual([
    'GET /v5/pins/77/analytics?start_date=2026-11-10&end_date=2026-11-20&metric_types=SAVE',
    expect.stringMatching(/^GET \/v5\/pins\/78\/analytics\?.*metric_types=SAVE,VIDEO_MRC_VIEW,/),
    expect.stringContaining('/80/analytics'),
  ]);
});

test('a deleted pin is left out', async () => {
  await reads((path) => (path.endsWith('/77') ? pin : new Rejection(404, { code: 50, message: 'Pin not found' })));
  expect((await account.reading.readPosts(account.call, ['77', '78'])).map(({ publishId }) => publishId)).toEqual(['77']);
});
