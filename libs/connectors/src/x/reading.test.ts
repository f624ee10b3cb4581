import { aReading, Refusal, type AReading, type Respond } from '../../test/a-reading.ts';

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
  await reads(() => page);
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
  expect(account.asked()[0]).toContain('max_results=5&pagination_token=before&end_time=2026-11-20T00:00:00.000Z');
});

test('posts that are too old for private statistics are read with the public ones', async () => {
  await reads((_path, query) =>
    Object.values(query).some((fields) => fields.includes('non_public_metrics'))
      ? { ...page, errors: [{ detail: 'Field Authorization Error', field: 'non_public_metrics', resource_id: '8' }] }
      : {
          data: [
            { ...post, id: '8', non_public_metrics: undefined },
            { ...post, non_public_metrics: undefined },
          ],
        },
  );
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

test('the author, which is paid for, is only asked of posts that may be of others', async () => {
  await reads(() => page);
  await account.reading.listPosts(account.call, { pageSize: 5 });
  await account.reading.readPosts(account.call, ['9']);
  const [list, lookup] = account.asked();
  expect(list).not.toContain('author_id');
  expect(lookup).toContain('expansions=attachments.media_keys,author_id');
  expect(account.asked()).toHaveLength(2);
});

test('a server that knows only the former names is served', async () => {
  await reads((_path, query) =>
    query['post.fields'] === undefined
      ? page
      : new Refusal(400, { title: 'Invalid Request', detail: 'The query parameter [post.fields] is not one of', type: 'about:blank' }),
  );
  expect((await account.reading.readPosts(account.call, ['9'])).map(({ publishId }) => publishId)).toEqual(['9']);
});

test('posts of others are left out', async () => {
  await reads(() => ({ data: [{ ...post, author_id: '666' }] }));
  expect(await account.reading.readPosts(account.call, ['9'])).toEqual([]);
});

test('a page is never longer than asked for, and what X sent beyond it comes with the next one', async () => {
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

test('replies and reposts are not listed', async () => {
  await reads(() => page);
  await account.reading.listPosts(account.call, { pageSize: 5 });
  expect(account.asked()[0]).toContain('exclude=retweets,replies');
});
