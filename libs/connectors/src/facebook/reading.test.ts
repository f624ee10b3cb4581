import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

let page: AReading;
const reads = async (respond: Respond) => (page = await aReading('facebook', '100', respond));
afterEach(() => page.close());

const insight = (name: string, ...values: readonly (readonly [string, unknown])[]) => ({
  name,
  period: 'day',
  values: values.map(([end_time, value]) => ({ end_time, value })),
});
const invalid = new Rejection(400, {
  error: { code: 100, message: '(#100) The value must be a valid insights metric', type: 'OAuthException' },
});
const november = { start: '2026-11-01', end: '2026-11-02' };

test('an account has its followers, totals and daily series', async () => {
  await reads((path, { metric = '' }) => {
    if (path === '/v25.0/100' || path.endsWith('/100')) return { id: '100', followers_count: 1200, fan_count: 1 };
    const known = {
      page_media_view: insight('page_media_view', ['2026-11-02T08:00:00+0000', 10], ['2026-11-03T08:00:00+0000', '5']),
      page_views_total: insight('page_views_total', ['2026-11-02T08:00:00+0000', 3]),
      page_follows: insight('page_follows', ['2026-11-02T08:00:00+0000', null]),
    };
    return { data: metric.split(',').flatMap((name) => (Object.hasOwn(known, name) ? [known[name as keyof typeof known]] : [])) };
  });
  const statistics = await page.reading.readAccount(page.call, {
    ...november,
    period: 'day',
    metrics: ['page_media_view', 'page_follows'],
  });
  expect(statistics).toMatchObject({
    followers: 1200,
    following: null,
    impressions: 15,
    profileViews: 3,
    reach: null,
    websiteClicks: null,
  });
  expect(statistics.series).toEqual([
    {
      name: 'page_media_view',
      period: 'day',
      values: [
        { endTime: new Date('2026-11-02T08:00:00Z'), value: 10 },
        { endTime: new Date('2026-11-03T08:00:00Z'), value: 5 },
      ],
    },
    { name: 'page_follows', period: 'day', values: [{ endTime: new Date('2026-11-02T08:00:00Z'), value: null }] },
  ]);
  expect(statistics.unavailable).toEqual([]);
  // Two days are no period over which Facebook counts people once.
  expect(page.requests().filter((call) => call.includes('page_total_media_view_unique'))).toEqual([]);
  expect(page.requests()[1]).toContain('since=2026-11-01&until=2026-11-03');
});

test('totals do not add up followers, or people who may be counted on several days', async () => {
  await reads((path, { metric = '' }) => {
    if (path.endsWith('/100')) return { id: '100', followers_count: 1200, fan_count: 500 };
    const days = (name: string) => insight(name, ['2026-11-02T08:00:00+0000', 10], ['2026-11-03T08:00:00+0000', 12]);
    return { data: metric.split(',').map(days) };
  });
  const { rawMetrics } = await page.reading.readAccount(page.call, {
    ...november,
    period: 'day',
    metrics: ['page_follows', 'page_daily_follows_unique', 'page_media_view'],
  });
  expect(rawMetrics).toMatchObject({ page_follows: 12, page_media_view: 22 });
  expect(rawMetrics).not.toHaveProperty('page_daily_follows_unique');
});

test('the reach of a week is the count of Facebook, not a sum of days', async () => {
  await reads((path, { metric = '', period }) => {
    if (!path.endsWith('/insights')) return { id: '100' };
    if (metric !== 'page_total_media_view_unique') return { data: [] };
    return { data: [insight(metric, ['2026-11-08T08:00:00+0000', period === 'week' ? 77 : 1])] };
  });
  const statistics = await page.reading.readAccount(page.call, { start: '2026-11-01', end: '2026-11-07', period: 'day', metrics: [] });
  expect(statistics).toMatchObject({ reach: 77, followers: null, impressions: null });
});

test('a range of more than 90 days is read in parts', async () => {
  await reads((path) => (path.endsWith('/insights') ? { data: [] } : { id: '100' }));
  await page.reading.readAccount(page.call, { start: '2026-01-01', end: '2026-11-20', period: 'day', metrics: [] });
  const ranges = page.requests().flatMap((call) => /since=(\S+)&until=([^&]+)/.exec(call)?.slice(1).join(' ') ?? []);
  expect(ranges).toEqual(['2026-09-28 2026-11-21', '2026-06-30 2026-09-28', '2026-04-01 2026-06-30', '2026-01-01 2026-04-01']);
});

test('a metric that Meta has withdrawn is left out, with a reason', async () => {
  await reads((path, { metric = '' }) => {
    if (!path.endsWith('/insights')) return { id: '100' };
    if (metric.includes('page_video_views')) return invalid;
    return { data: metric.split(',').map((name) => insight(name, ['2026-11-02T08:00:00+0000', 1])) };
  });
  const metrics = ['page_media_view', 'page_video_views', 'page_post_engagements'];
  const statistics = await page.reading.readAccount(page.call, { ...november, period: 'day', metrics });
  expect(statistics.series.map(({ name }) => name)).toEqual(['page_media_view', 'page_post_engagements']);
  expect(statistics.unavailable).toEqual(['Facebook does not provide page_video_views: (#100) The value must be a valid insights metric']);
});

test('a metric that Facebook rejects for a part of a range has no total, and one reason', async () => {
  await reads((path, { metric = '', since = '' }) => {
    if (!path.endsWith('/insights')) return { id: '100' };
    const names = metric.split(',');
    if (since === '2026-01-01' && (names.includes('page_media_view') || names.includes('page_follows'))) return invalid;
    return { data: names.map((name) => insight(name, ['2026-01-02T08:00:00+0000', 1])) };
  });
  const wanted = { start: '2026-01-01', end: '2026-05-31', period: 'day', metrics: ['page_media_view', 'page_follows'] } as const;
  const statistics = await page.reading.readAccount(page.call, wanted);
  expect(statistics).toMatchObject({ impressions: null, profileViews: 2, rawMetrics: { page_views_total: 2 } });
  expect(statistics.rawMetrics).not.toHaveProperty('page_media_view');
  expect(statistics.unavailable).toEqual([
    'Facebook provides page_media_view, page_follows only from 2026-04-01 on: (#100) The value must be a valid insights metric',
  ]);
});

const post = {
  id: '100_7',
  message: 'Fresh bread',
  created_time: '2026-11-19T08:00:00+0000',
  permalink_url: 'https://www.facebook.com/100/posts/7',
  status_type: 'added_photos',
  full_picture: 'https://scontent.example/7.jpg',
  attachments: { data: [{ media_type: 'photo', media: { image: { src: 'https://scontent.example/7.jpg' } } }] },
  comments: { summary: { total_count: 2 } },
  reactions: { summary: { total_count: 5 } },
  insights: {
    data: [
      { name: 'post_media_view', values: [{ value: 90 }] },
      { name: 'post_clicks', values: [{ value: 4 }] },
    ],
  },
};

/** An edge of the page, newest first, with a cursor after each page. */
const edge =
  (nodes: readonly { readonly id: string }[]) =>
  ({ limit = '25', after }: Readonly<Record<string, string>>) => {
    const start = after === undefined ? 0 : nodes.findIndex(({ id }) => `AFTER_${id}` === after) + 1;
    if (after !== undefined && start === 0) return new Rejection(400, { error: { code: 100, message: '(#100) Invalid cursors values' } });
    const data = nodes.slice(start, start + Number(limit));
    if (start + data.length >= nodes.length) return { data };
    const end = `AFTER_${data.at(-1)?.id}`;
    return { data, paging: { next: `https://graph.facebook.com/x?after=${end}`, cursors: { after: end } } };
  };
const reelAt = (id: string, created_time: string, more: object = {}) => ({
  ...{ id, created_time, description: `Reel ${id}`, permalink_url: `/reel/${id}/`, from: { id: '100' }, length: 12.5, published: true },
  ...{ comments: { summary: { total_count: 1 } }, reactions: { summary: { total_count: 8 } } },
  video_insights: { data: [{ name: 'blue_reels_play_count', values: [{ value: 31 }] }] },
  ...more,
});
const noReels = new Rejection(400, {
  error: { code: 100, error_subcode: 33, message: 'Unsupported get request. Object with ID 100 does not support this operation' },
});

/** The ids of all pages of the list. */
async function listedIds(pageSize: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { posts, next } = await page.reading.listPosts(page.call, { pageSize, cursor });
    pages.push(posts.map(({ publishId }) => publishId));
    cursor = next;
  } while (cursor !== undefined && pages.length < 20);
  return pages;
}

test('posts are listed with their statistics, and with a cursor while there are more', async () => {
  const published = edge([post, { ...post, id: '100_6' }]);
  await reads((path, query) => (path.endsWith('/published_posts') ? published(query) : { data: [] }));
  const listed = await page.reading.listPosts(page.call, { pageSize: 1, from: new Date('2026-11-01T00:00:00Z') });
  expect(listed).toMatchObject({ next: expect.any(String), totalCount: null });
  expect(listed.posts).toHaveLength(1);
  expect(listed.posts[0]).toMatchObject({
    ...{
      publishId: '100_7',
      caption: 'Fresh bread',
      mediaType: 'image',
      type: 'added_photos',
      createdAt: new Date('2026-11-19T08:00:00Z'),
    },
    mediaUrls: ['https://scontent.example/7.jpg'],
    // Nobody shared it: then Facebook leaves the field out.
    stats: { likes: 5, commentCount: 2, shares: 0, impressions: 90, views: 90, clicks: 4, reach: null, saves: null },
  });
  expect(page.requests()[0]).toContain(`since=${Date.parse('2026-11-01T00:00:00Z') / 1_000}`);
  const last = await page.reading.listPosts(page.call, { pageSize: 1, cursor: listed.next });
  expect(last.posts.map(({ publishId }) => publishId)).toEqual(['100_6']);
  expect(last).not.toHaveProperty('next');
});

test('posts are listed without statistics if the person has not granted the permission', async () => {
  await reads((path, { fields = '' }) =>
    fields.includes('insights')
      ? new Rejection(403, { error: { code: 200, message: 'Requires read_insights' } })
      : {
          data: path.endsWith('/video_reels')
            ? [reelAt('900', post.created_time, { video_insights: undefined })]
            : [{ ...post, insights: undefined }],
        },
  );
  const { posts, unavailable } = await page.reading.listPosts(page.call, { pageSize: 25 });
  expect(posts.map(({ stats }) => [stats.likes, stats.impressions])).toEqual([
    [5, null],
    [8, null],
  ]);
  expect(unavailable).toBe('Facebook does not allow reading the statistics of posts: Requires read_insights');
});

test('reels that are not among the published posts are listed too, by time and with the statistics of the video', async () => {
  const older = { ...post, id: '100_6', created_time: '2026-11-17T08:00:00+0000' };
  const reels = [
    reelAt('903', '2026-11-18T08:00:00+0000'),
    reelAt('902', '2026-11-18T07:00:00+0000', { published: false }),
    reelAt('901', '2026-11-18T06:00:00+0000', { from: { id: '666' } }),
    reelAt('900', '2026-11-16T08:00:00+0000'),
  ];
  await reads((path, query) => edge(path.endsWith('/video_reels') ? reels : [post, older])(query));
  const { posts, next, unavailable } = await page.reading.listPosts(page.call, { pageSize: 25 });
  expect(posts.map(({ publishId }) => publishId)).toEqual(['100_7', '903', '100_6', '900']);
  expect(posts[1]).toMatchObject({
    ...{ caption: 'Reel 903', mediaType: 'video', permalinkUrl: 'https://www.facebook.com/reel/903/' },
    createdAt: new Date('2026-11-18T08:00:00Z'),
    stats: { likes: 8, commentCount: 1, views: 31, videoDurationMs: 12_500, shares: null, reach: null },
  });
  expect([next, unavailable]).toEqual([undefined, undefined]);
});

test('pages of posts and reels neither skip nor repeat any, also if a reel is among the posts', async () => {
  const hour = (of: number) => `2026-11-19T${String(of).padStart(2, '0')}:00:00+0000`;
  const postAt = (of: number) => ({ ...post, id: `100_${of}`, created_time: hour(of) });
  const asPost = {
    ...postAt(10),
    attachments: { data: [{ media_type: 'video', target: { id: '910' } }] },
  };
  const posts = [postAt(12), asPost, postAt(8), postAt(7), postAt(3)];
  const reels = [reelAt('911', hour(11)), reelAt('910', '2026-11-19T09:58:00+0000'), reelAt('905', hour(5)), reelAt('902', hour(2))];
  await reads((path, query) => edge(path.endsWith('/video_reels') ? reels : posts)(query));
  const all = ['100_12', '911', '910', '100_8', '100_7', '905', '100_3', '902'];
  for (const pageSize of [1, 2, 3, 4, 25]) {
    const pages = await listedIds(pageSize);
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((ids) => ids.length))).toBeLessThanOrEqual(pageSize);
  }
  const listed = await page.reading.listPosts(page.call, { pageSize: 25 });
  expect(listed.posts[2]).toMatchObject({ publishId: '910', type: 'added_photos', stats: { clicks: 4 } });
});

test('reels of other times than the wanted ones are left out, and read no further back', async () => {
  const reels = [20, 19, 18, 17, 16].map((day) => reelAt(`9${day}`, `2026-11-${day}T08:00:00+0000`));
  await reads((path, query) => (path.endsWith('/video_reels') ? edge(reels)(query) : { data: [] }));
  const [from, until] = [new Date('2026-11-18T00:00:00Z'), new Date('2026-11-20T00:00:00Z')];
  const { posts, next } = await page.reading.listPosts(page.call, { pageSize: 4, from, until });
  expect(posts.map(({ publishId }) => publishId)).toEqual(['919', '918']);
  expect(next).toBeUndefined();
});

test.each([
  ['the edge is not available', noReels, undefined],
  [
    'nobody has heard of the edge',
    new Rejection(400, { error: { code: 2500, message: 'Unknown path components: /video_reels' } }),
    undefined,
  ],
  [
    'the permission is missing',
    new Rejection(403, { error: { code: 10, message: '(#10) Requires pages_show_list' } }),
    /reels .*pages_show_list/,
  ],
])('without reels, because %s, the published posts are listed', async (_what, rejection, reason) => {
  const published = edge([post, { ...post, id: '100_6' }]);
  await reads((path, query) => (path.endsWith('/video_reels') ? rejection : published(query)));
  const { unavailable } = await page.reading.listPosts(page.call, { pageSize: 1 });
  if (reason) expect(unavailable).toMatch(reason);
  else expect(unavailable).toBeUndefined();
  expect(await listedIds(1)).toEqual([['100_7'], ['100_6']]);
});

test.each(['published_posts', 'video_reels'])('a cursor that Facebook no longer takes for %s is a rejected request', async (name) => {
  const nodes = [reelAt('901', '2026-11-18T08:00:00+0000'), reelAt('900', '2026-11-16T08:00:00+0000')];
  await reads((path, query) => (path.endsWith(name) ? edge(nodes)(query) : { data: [] }));
  const { next = '' } = await page.reading.listPosts(page.call, { pageSize: 1 });
  const cursor = next.replaceAll('AFTER_', 'GONE_');
  await expect(page.reading.listPosts(page.call, { pageSize: 1, cursor })).rejects.toMatchObject({ class: 'validation' });
  await expect(page.reading.listPosts(page.call, { pageSize: 1, cursor: 'AFTER_901' })).rejects.toMatchObject({ class: 'validation' });
});

test('posts are read by id; deleted posts and posts of other pages are left out', async () => {
  await reads((path) => {
    if (path.endsWith('/100_7')) return post;
    if (path.endsWith('/900'))
      return {
        id: '900',
        from: { id: '100' },
        length: 12.5,
        description: 'A reel',
        permalink_url: '/reel/900/',
        video_insights: { data: [{ name: 'blue_reels_play_count', values: [{ value: 31 }] }] },
      };
    if (path.endsWith('/901')) return { id: '901', from: { id: '666' } };
    return new Rejection(400, { error: { code: 100, error_subcode: 33, message: 'Object does not exist' } });
  });
  const posts = await page.reading.readPosts(page.call, ['100_7', '100_8', '666_1', '900', '901']);
  expect(posts.map(({ publishId }) => publishId)).toEqual(['100_7', '900']);
  expect(posts[1]).toMatchObject({
    caption: 'A reel',
    permalinkUrl: 'https://www.facebook.com/reel/900/',
    stats: { views: 31, videoDurationMs: 12_500 },
  });
  expect(page.requests().some((call) => call.includes('666_1'))).toBe(false);
});

test('ids of pages and of Instagram media are not ids of posts; a withdrawn field of videos is a failure', async () => {
  const nonexisting = (type: string) =>
    new Rejection(400, { error: { code: 100, message: `(#100) Tried accessing nonexisting field (title) on node type (${type})` } });
  await reads((path) => {
    if (path.endsWith('/100')) return nonexisting('Page');
    if (path.endsWith('/17841')) return new Rejection(403, { error: { code: 200, message: '(#200) Requires instagram_basic' } });
    if (path.endsWith('/900')) return nonexisting('Video');
    return new Rejection(403, { error: { code: 200, message: 'Requires pages_read_engagement' } });
  });
  expect(await page.reading.readPosts(page.call, ['100', '17841'])).toEqual([]);
  await expect(page.reading.readPosts(page.call, ['900'])).rejects.toMatchObject({ class: 'validation' });
  await expect(page.reading.readPosts(page.call, ['901'])).rejects.toMatchObject({ class: 'permission' });
});

test('if Facebook rejects the first days of a range as too old, the others are read', async () => {
  await reads((path, { metric = '', since = '' }) => {
    if (!path.endsWith('/insights')) return { id: '100' };
    if (since === '2024-11-22')
      return new Rejection(400, { error: { code: 100, message: '(#100) since must be within the last two years' } });
    return { data: metric.split(',').map((name) => insight(name, ['2026-01-02T08:00:00+0000', 1])) };
  });
  const wanted = { start: '2024-11-22', end: '2026-11-20', period: 'day', metrics: ['page_media_view'] } as const;
  const { series, unavailable } = await page.reading.readAccount(page.call, wanted);
  expect(series[0]?.values).toHaveLength(8);
  expect(unavailable).toEqual([
    'Facebook provides page_media_view, page_views_total only from 2025-02-20 on: (#100) since must be within the last two years',
  ]);
});

test.each([
  ['a token of the wrong kind', 190, 'A page access token is required to request this resource.'],
  ['no metrics', 100, 'No metric was specified to be fetched.'],
  ['another rejected parameter', 3001, 'Invalid query'],
])('a failure that is not about a metric fails the read: %s', async (_what, code, message) => {
  await reads((path) => (path.endsWith('/insights') ? new Rejection(400, { error: { code, message } }) : { id: '100' }));
  await expect(page.reading.readAccount(page.call, { ...november, period: 'day', metrics: ['page_follows'] })).rejects.toThrow(message);
});

test('without the permission for insights, a page has its followers, and the reason', async () => {
  await reads((path) =>
    path.endsWith('/insights')
      ? new Rejection(403, { error: { code: 200, message: 'Requires read_insights' } })
      : { id: '100', followers_count: 1200 },
  );
  const statistics = await page.reading.readAccount(page.call, { ...november, period: 'day', metrics: ['page_follows'] });
  expect(statistics).toMatchObject({ followers: 1200, impressions: null, series: [] });
  expect(statistics.unavailable).toEqual(['Facebook does not allow reading some statistics of this account: Requires read_insights']);
});

test('a video that is read by its id is the same as in the list', async () => {
  const listed = {
    ...{ ...post, id: '100_9', status_type: 'added_video', shares: { count: 3 } },
    attachments: { data: [{ media_type: 'video', target: { id: '900' }, media: { image: { src: 'https://scontent.example/9.jpg' } } }] },
    insights: {
      data: ['post_media_view', 'post_clicks', 'post_video_views_organic', 'post_video_length'].map((name, at) => ({
        name,
        values: [{ value: at + 50 }],
      })),
    },
  };
  const video = {
    ...{ id: '900', from: { id: '100' }, length: 12.5, post_id: '100_9' },
    video_insights: { data: [{ name: 'blue_reels_play_count', values: [{ value: 31 }] }] },
  };
  await reads((path) => {
    if (path.endsWith('/published_posts')) return { data: [listed] };
    if (path.endsWith('/video_reels')) return { data: [video] };
    return path.endsWith('/900') ? video : listed;
  });
  const [inList, ...others] = (await page.reading.listPosts(page.call, { pageSize: 5 })).posts;
  expect(others).toEqual([]);
  const [byId] = await page.reading.readPosts(page.call, ['900']);
  expect(inList).toMatchObject({ publishId: '900', stats: { shares: 3, clicks: 51, views: 50, videoViewsOrganic: 52 } });
  expect(byId).toEqual(inList);
});

test('a post whose statistics Facebook does not allow to read says so', async () => {
  await reads((_path, { fields = '' }) =>
    fields.includes('insights')
      ? new Rejection(403, { error: { code: 10, message: '(#10) Requires read_insights' } })
      : { ...post, insights: undefined },
  );
  const [read] = await page.reading.readPosts(page.call, ['100_7']);
  expect(read?.unavailable).toBe('Facebook does not allow reading the statistics of posts: (#10) Requires read_insights');
});
