import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('x', '42', respond));
afterEach(() => account.close());

const post = {
  id: '9',
  author_id: '42',
  text: 'Fresh',
  created_at: '2026-11-19T08:00:00.000Z',
  attachments: { media_keys: ['7_1'] },
  public_metrics: { like_count: 3, reply_count: 1, retweet_count: 2, quote_count: 1, bookmark_count: 4, impression_count: 100 },
  non_public_metrics: { url_link_clicks: 6 },
};
const video = {
  media_key: '7_1',
  type: 'video',
  duration_ms: 9_000,
  preview_image_url: 'https://pbs.example/9.jpg',
  public_metrics: { view_count: 80 },
  non_public_metrics: { playback_0_count: 50, playback_100_count: 20 },
  organic_metrics: { view_count: 70 },
};
const page = { data: [post], includes: { media: [video] }, meta: { next_token: 'more' } };
const analytics = (metrics: object) => ({
  data: [{ media_key: '7_1', timestamped_metrics: [{ timestamp: '2026-11-20T11:59:50Z', metrics }] }],
});
const watched = analytics({ video_views: 40, watch_time_ms: 100_000 });
/** X responds with a page of posts, and to the call about their videos with something else. */
const withVideos = (response: unknown, videos: unknown) => reads((path) => (path.endsWith('/media/analytics') ? videos : response));

test('an account has its counters, by the new name of the posts or the old one', async () => {
  await reads(() => ({ data: { id: '42', public_metrics: { followers_count: 10, following_count: 2, tweet_count: 7 } } }));
  const statistics = await account.reading.readAccount(account.call, {
    start: '2026-11-01',
    end: '2026-11-02',
    period: 'lifetime',
    metrics: [],
  });
  expect(statistics).toMatchObject({ followers: 10, following: 2, postsCount: 7, impressions: null, series: [] });
  expect(statistics.unavailable).toHaveLength(1);
});

test('posts are read with the statistics that only their author can see', async () => {
  await withVideos(page, watched);
  const { posts, next } = await account.reading.listPosts(account.call, {
    pageSize: 1,
    cursor: 'before',
    until: new Date('2026-11-20T00:00:00Z'),
  });
  expect(next).toBe('more');
  expect(posts).toMatchObject([
    {
      ...{
        publishId: '9',
        caption: 'Fresh',
        mediaType: 'video',
        permalinkUrl: 'https://x.com/acme/status/9',
        thumbnailUrl: 'https://pbs.example/9.jpg',
      },
      stats: {
        ...{ likes: 3, commentCount: 1, shares: 3, saves: 4, impressions: 100, clicks: 6, views: 80, reach: null },
        ...{ videoDurationMs: 9_000, completionRate: 0.4, videoViewsOrganic: 70, videoViewsPaid: null },
      },
    },
  ]);
  // X takes no page of fewer than five.
  expect(account.requests()[0]).toContain('max_results=5&pagination_token=before&end_time=2026-11-20T00:00:00.000Z');
});

test('posts that are too old for private statistics are read with the public ones', async () => {
  await reads((path, query) => {
    if (path.endsWith('/media/analytics')) return watched;
    return Object.values(query).some((fields) => fields.includes('non_public_metrics'))
      ? { ...page, errors: [{ detail: 'Field Authorization Error', field: 'non_public_metrics', resource_id: '8' }] }
      : {
          data: [
            { ...post, id: '8', non_public_metrics: undefined },
            { ...post, non_public_metrics: undefined },
          ],
        };
  });
  const posts = await account.reading.readPosts(account.call, ['8', '9']);
  // The younger one keeps its private statistics.
  expect(posts).toMatchObject([
    { publishId: '8', stats: { likes: 3, clicks: null } },
    { publishId: '9', stats: { clicks: 6 } },
  ]);
});

const missing = (id: string, type: string) => ({
  resource_id: id,
  type: `https://api.x.com/2/problems/${type}`,
  title: 'Error',
  detail: 'No.',
});

test('posts are read even if all of them are too old for private statistics, and absent if all are deleted', async () => {
  await reads((_path, { ids, 'media.fields': media }) => {
    if (ids === '7') return { errors: [missing('7', 'resource-not-found')] };
    return media?.includes('non_public_metrics')
      ? { errors: [{ ...missing('8', 'not-authorized-for-field'), field: 'non_public_metrics' }] }
      : { data: [{ ...post, id: '8', non_public_metrics: undefined }] };
  });
  expect(await account.reading.readPosts(account.call, ['8'])).toMatchObject([{ publishId: '8', stats: { likes: 3, clicks: null } }]);
  expect(await account.reading.readPosts(account.call, ['7'])).toEqual([]);
});

test('the author, which costs extra, is only requested for posts that may belong to others', async () => {
  await withVideos(page, watched);
  await account.reading.listPosts(account.call, { pageSize: 5 });
  await account.reading.readPosts(account.call, ['9']);
  const [list, lookup, ...others] = account.requests().filter((request) => !request.includes('/media/analytics'));
  expect(list).not.toContain('author_id');
  expect(lookup).toContain('expansions=attachments.media_keys,author_id');
  expect(others).toEqual([]);
});

test('a server that only knows the former field names is supported', async () => {
  await reads((path, query) =>
    path.endsWith('/media/analytics')
      ? watched
      : query['post.fields'] === undefined
        ? page
        : new Rejection(400, { title: 'Invalid Request', detail: 'The query parameter [post.fields] is not one of', type: 'about:blank' }),
  );
  expect((await account.reading.readPosts(account.call, ['9'])).map(({ publishId }) => publishId)).toEqual(['9']);
});

test('posts of others are left out', async () => {
  await reads(() => ({ data: [{ ...post, author_id: '666' }] }));
  expect(await account.reading.readPosts(account.call, ['9'])).toEqual([]);
});

test("a page is never longer than requested, and the rest of X's response comes with the next one", async () => {
  const five = ['9', '8', '7', '6', '5'].map((id) => ({ ...post, id }));
  await reads(() => ({ data: five, meta: { next_token: 'more' } }));
  const seen: string[] = [];
  let cursor: string | undefined;
  for (const size of [2, 2, 2]) {
    const { posts, next } = await account.reading.listPosts(account.call, { pageSize: size, ...(cursor !== undefined && { cursor }) });
    expect(posts.length).toBeLessThanOrEqual(size);
    seen.push(...posts.map(({ publishId }) => publishId));
    cursor = next;
  }
  expect(seen).toEqual(['9', '8', '7', '6', '5']);
  expect(cursor).toBe('more');
});

const PHOTO = { media_key: '3_1', type: 'photo', url: 'https://pbs.example/1.jpg' };
const withMedia = (id: string, key: string, day: string) => ({
  ...post,
  id,
  attachments: { media_keys: [key] },
  created_at: `${day}T08:00:00.000Z`,
});

test('the watch times of all videos of a page are read in one call, since the day of the oldest post', async () => {
  const data = [withMedia('9', '7_1', '2026-11-19'), withMedia('8', '3_1', '2026-11-05'), withMedia('7', '13_2', '2026-11-12')];
  await withVideos({ data, includes: { media: [video, PHOTO, { ...video, media_key: '13_2' }] }, meta: {} }, watched);
  const { posts } = await account.reading.listPosts(account.call, { pageSize: 5 });
  expect(posts.map(({ stats }) => [stats.totalWatchTimeMs, stats.avgWatchTimeMs])).toEqual([
    [100_000, 2_500],
    [null, null],
    // X returned nothing about it.
    [null, null],
  ]);
  expect(account.requests().slice(1)).toEqual([
    'GET /2/media/analytics?media_keys=7_1,13_2&start_time=2026-11-12T00:00:00Z&end_time=2026-11-20T11:59:50.000Z' +
      '&granularity=total&media_analytics.fields=media_key,timestamp,video_views,watch_time_ms',
  ]);
});

test('a video without views has no average watch time', async () => {
  await withVideos(page, analytics({ video_views: 0, watch_time_ms: 0 }));
  expect(await account.reading.readPosts(account.call, ['9'])).toMatchObject([{ stats: { totalWatchTimeMs: 0, avgWatchTimeMs: null } }]);
});

test('watch times, which cost extra, are not requested for posts without videos, nor for posts of others', async () => {
  const photos = { data: [withMedia('8', '3_1', '2026-11-05')], includes: { media: [PHOTO] }, meta: {} };
  await withVideos(photos, watched);
  await account.reading.listPosts(account.call, { pageSize: 5 });
  expect(account.requests()).toHaveLength(1);
  await account.close();
  await withVideos({ ...page, data: [{ ...post, author_id: '666' }] }, watched);
  await account.reading.readPosts(account.call, ['9']);
  expect(account.requests()).toHaveLength(1);
});

const enterpriseOnly = {
  ...{ title: 'Client Forbidden', reason: 'client-not-enrolled', required_enrollment: 'Appropriate Level of API Access' },
  detail: 'When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a Twitter developer App.',
  type: 'https://api.x.com/2/problems/client-forbidden',
};

test.each([
  ['an app that X has not enrolled', new Rejection(403, enterpriseOnly)],
  ['a missing permission', new Rejection(403, { title: 'Forbidden', detail: 'The token lacks the required scope', type: 'about:blank' })],
  [
    'times that X rejects',
    new Rejection(400, { title: 'Invalid Request', detail: 'No.', type: 'https://api.x.com/2/problems/invalid-request' }),
  ],
  ['a video that X does not show', { errors: [{ ...missing('7_1', 'not-authorized-for-resource'), resource_type: 'media' }] }],
])('%s leaves the watch times unknown, and everything else is returned', async (_what, response) => {
  await withVideos(page, response);
  const { posts, next } = await account.reading.listPosts(account.call, { pageSize: 5 });
  expect(next).toBe('more');
  expect(posts).toMatchObject([{ stats: { likes: 3, views: 80, completionRate: 0.4, totalWatchTimeMs: null, avgWatchTimeMs: null } }]);
});

test('replies and reposts are not listed', async () => {
  await withVideos(page, watched);
  await account.reading.listPosts(account.call, { pageSize: 5 });
  expect(account.requests()[0]).toContain('exclude=retweets,replies');
});
