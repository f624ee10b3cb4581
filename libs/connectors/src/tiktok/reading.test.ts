import { aReading, type AReading, type Respond } from '../../test/a-reading.ts';

let account: AReading;
const reads = async (respond: Respond) => (account = await aReading('tiktok', 'open-1', respond));
afterEach(() => account.close());

const ok = { code: 'ok', message: '', log_id: 'l' };
const video = (id: string, createTime: number) => ({
  ...{
    id,
    create_time: createTime,
    title: 'Bread',
    video_description: 'Fresh bread',
    duration: 12,
    share_url: 'https://www.tiktok.com/@a/video/1',
  },
  ...{ view_count: 100, like_count: 7, comment_count: 2, share_count: 1 },
});

test('an account has its current counters, and no statistics over time', async () => {
  await reads(() => ({ data: { user: { follower_count: 9, following_count: 1, likes_count: 30, video_count: 4 } }, error: ok }));
  const statistics = await account.reading.readAccount(account.call, {
    start: '2026-11-01',
    end: '2026-11-02',
    period: 'lifetime',
    metrics: [],
  });
  expect(statistics).toMatchObject({ followers: 9, following: 1, postsCount: 4, reach: null, series: [], rawMetrics: { likes_count: 30 } });
  expect(statistics.unavailable).toHaveLength(1);
});

test('videos are listed until one is older than the range', async () => {
  const [newer, older] = [Date.parse('2026-11-10T00:00:00Z') / 1_000, Date.parse('2026-10-01T00:00:00Z') / 1_000];
  const requests: unknown[] = [];
  await reads((_path, _query, body) => {
    requests.push(body);
    return { data: { videos: [video('2', newer), video('1', older)], cursor: 1_700_000_000_000, has_more: true }, error: ok };
  });
  const wanted = { pageSize: 20, until: new Date('2026-11-20T00:00:00Z') };
  expect(await account.reading.listPosts(account.call, wanted)).toMatchObject({ next: '1700000000000' });
  const { posts, next } = await account.reading.listPosts(account.call, { ...wanted, cursor: '5', from: new Date('2026-11-01T00:00:00Z') });
  expect(posts).toMatchObject([
    {
      publishId: '2',
      caption: 'Fresh bread',
      stats: { views: 100, likes: 7, commentCount: 2, shares: 1, videoDurationMs: 12_000, reach: null },
    },
  ]);
  expect(next).toBeUndefined();
  expect(requests).toEqual([
    { max_count: 20, cursor: wanted.until.getTime() },
    { max_count: 20, cursor: 5 },
  ]);
});

test('a cursor of another list is rejected without a request', async () => {
  await reads(() => ({}));
  const listing = account.reading.listPosts(account.call, { pageSize: 20, cursor: 'x' });
  await expect(listing).rejects.toMatchObject({ class: 'validation', effect: 'not_sent', detail: { param: 'cursor' } });
  expect(account.requests()).toEqual([]);
});

test('videos are read by id in one request', async () => {
  await reads((path) => ({ data: { videos: path.endsWith('/query/') ? [video('1', 1)] : [] }, error: ok }));
  expect((await account.reading.readPosts(account.call, ['1', '2'])).map(({ publishId }) => publishId)).toEqual(['1']);
  expect(account.requests()).toHaveLength(1);
});

test('photos have no duration', async () => {
  const photo = { ...video('1', 1), duration: 0, share_url: 'https://www.tiktok.com/@a/photo/1' };
  await reads(() => ({ data: { videos: [photo] }, error: ok }));
  expect(await account.reading.readPosts(account.call, ['1'])).toMatchObject([{ mediaType: 'image', stats: { videoDurationMs: null } }]);
});
