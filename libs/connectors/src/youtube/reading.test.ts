import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

let channel: AReading;
const reads = async (respond: Respond) => (channel = await aReading('youtube', 'UC1', respond));
afterEach(() => channel.close());

const rows = (names: readonly string[], ...values: readonly (readonly unknown[])[]) => ({
  columnHeaders: names.map((name) => ({ name })),
  rows: values,
});
const statistics = { subscriberCount: '1200', videoCount: '8', viewCount: '99000', hiddenSubscriberCount: false };
const mine = { items: [{ id: 'UC1', statistics, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] };
const range = { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: ['views', 'averageViewDuration'] } as const;

test('a channel has daily statistics and its audience', async () => {
  await reads((path, { dimensions = '' }) => {
    if (path.endsWith('/channels')) return mine;
    if (dimensions === 'day') return rows(['day', 'views', 'averageViewDuration'], ['2026-11-01', 10, 30], ['2026-11-02', 5, 40]);
    if (dimensions === 'ageGroup') return rows(['ageGroup', 'viewerPercentage'], ['age18-24', 75], ['age65-', 25]);
    if (dimensions === 'gender') return rows(['gender', 'viewerPercentage'], ['female', 60], ['user_specified', 40]);
    return rows(['country', 'views'], ['DE', 3], ['FR', 1]);
  });
  const read = await channel.reading.readAccount(channel.call, range);
  expect(read).toMatchObject({
    ...{ followers: 1200, postsCount: 8, following: null, impressions: null, unavailable: [] },
    audience: { age: { '18-24': 0.75, '65+': 0.25 }, gender: { FEMALE: 0.6, UNKNOWN: 0.4 }, country: { DE: 0.75, FR: 0.25 }, city: null },
    // Averages of days do not add up.
    rawMetrics: { views: 15, viewCount: 99_000 },
  });
  expect(read.rawMetrics).not.toHaveProperty('averageViewDuration');
  expect(read.series[1]?.values.map(({ value }) => value)).toEqual([30, 40]);
});

test('a small channel has no demographics, and one that hides its subscribers has no follower count', async () => {
  const hidden = { items: [{ ...mine.items[0], statistics: { ...statistics, hiddenSubscriberCount: true } }] };
  await reads((path) => (path.endsWith('/channels') ? hidden : { columnHeaders: [] }));
  const read = await channel.reading.readAccount(channel.call, range);
  expect(read).toMatchObject({ followers: null, audience: { age: null, gender: null, country: null }, series: [] });
});

const video = (id: string, channelId = 'UC1') => ({
  id,
  snippet: {
    channelId,
    title: 'Bread',
    description: 'How to',
    publishedAt: '2026-11-10T00:00:00Z',
    thumbnails: { high: { url: 'https://i.example/1.jpg' } },
  },
  statistics: { viewCount: '100', likeCount: '7' },
  contentDetails: { duration: 'PT1M2S' },
});

test('videos have their current counters and the statistics of reports', async () => {
  await reads((path) => {
    if (path.endsWith('/channels')) return mine;
    if (path.endsWith('/playlistItems'))
      return {
        items: [{ contentDetails: { videoId: 'a' } }, { contentDetails: { videoId: 'b' } }],
        nextPageToken: 'more',
        pageInfo: { totalResults: 8 },
      };
    if (path.endsWith('/videos')) return { items: [video('a'), video('b')] };
    return rows(['video', 'shares', 'averageViewDuration', 'estimatedMinutesWatched', 'averageViewPercentage'], ['a', 2, 31, 50, 130]);
  });
  const { posts, next, totalCount } = await channel.reading.listPosts(channel.call, { pageSize: 2 });
  expect({ next, totalCount }).toEqual({ next: 'more', totalCount: 8 });
  expect(posts).toMatchObject([
    {
      ...{ publishId: 'a', title: 'Bread', caption: 'How to', mediaType: 'video' },
      stats: {
        ...{ likes: 7, commentCount: null, views: 100, shares: 2, videoDurationMs: 62_000 },
        ...{ avgWatchTimeMs: 31_000, totalWatchTimeMs: 3_000_000, completionRate: 1, impressions: null },
      },
    },
    // Reports are days behind.
    { publishId: 'b', stats: { views: 100, shares: null, completionRate: null } },
  ]);
  expect(channel.requests().at(-1)).toContain('endDate=2026-11-20');
});

test('videos of other channels are not read', async () => {
  await reads((path) => (path.endsWith('/videos') ? { items: [video('a', 'UC2')] } : undefined));
  expect(await channel.reading.readPosts(channel.call, ['a'])).toEqual([]);
});

test('if a report is rejected, videos keep their counters', async () => {
  await reads((path) =>
    path.endsWith('/videos')
      ? { items: [video('a')] }
      : new Rejection(400, { error: { code: 400, message: 'The query is not supported.', errors: [{ reason: 'badRequest' }] } }),
  );
  expect(await channel.reading.readPosts(channel.call, ['a'])).toMatchObject([{ stats: { views: 100, shares: null } }]);
});

test('without the permission for reports, a channel has its subscribers, and the reason', async () => {
  await reads((path) =>
    path.endsWith('/channels')
      ? mine
      : new Rejection(403, { error: { code: 403, message: 'Insufficient permission', errors: [{ reason: 'insufficientPermissions' }] } }),
  );
  const read = await channel.reading.readAccount(channel.call, range);
  expect(read).toMatchObject({ followers: 1200, series: [], audience: { age: null } });
  expect(read.unavailable).toEqual(['YouTube does not allow reading some statistics of this account: Insufficient permission']);
});

test('a report that is rejected for another reason than its metrics is a failure', async () => {
  await reads((path) =>
    path.endsWith('/channels')
      ? mine
      : new Rejection(400, { error: { code: 400, message: 'Invalid value for endDate.', errors: [{ reason: 'badRequest' }] } }),
  );
  await expect(channel.reading.readAccount(channel.call, range)).rejects.toThrow('endDate');
});
