import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

const PAGE = 'urn:li:organization:55';
let account: AReading;
const reads = async (respond: Respond, accountId = PAGE) => (account = await aReading('linkedin', accountId, respond));
afterEach(() => account.close());

const range = { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: ['impressionCount', 'organicFollowerGain'] } as const;
const day = (date: string, what: object) => ({ timeRange: { start: Date.parse(date), end: Date.parse(date) + 86_400_000 }, ...what });
const pageDay = (date: string, pageViews: number, clicks: object) =>
  day(date, { totalPageStatistics: { views: { allPageViews: { pageViews } }, clicks } });
const button = (customButtonType: string, clicks?: number) => ({ customButtonType, clicks });

test('a page has daily statistics, the reach of the whole range, and its audience', async () => {
  await reads((path, query) => {
    const { timeIntervals = '' } = query;
    if (path.includes('/networkSizes/')) return { firstDegreeSize: 321 };
    if (path.endsWith('/organizationalEntityShareStatistics')) {
      if (!timeIntervals.includes('DAY')) return { elements: [{ totalShareStatistics: { uniqueImpressionsCount: 12 } }] };
      return {
        elements: [
          day('2026-11-02', { totalShareStatistics: { impressionCount: 5 } }),
          day('2026-11-01', { totalShareStatistics: { impressionCount: 10 } }),
        ],
      };
    }
    if (path.endsWith('/organizationPageStatistics'))
      return {
        elements: [
          pageDay('2026-11-01', 5, {
            mobileCustomButtonClickCounts: [button('VISIT_WEBSITE', 1), button('CONTACT_US', 8)],
            desktopCustomButtonClickCounts: [button('VISIT_WEBSITE', 2)],
          }),
          pageDay('2026-11-02', 2, { mobileCustomButtonClickCounts: [], desktopCustomButtonClickCounts: [button('VISIT_WEBSITE', 0)] }),
        ],
      };
    if (path.endsWith('/organizationalEntityFollowerStatistics')) {
      if (timeIntervals !== '')
        return { elements: [day('2026-11-01', { followerGains: { organicFollowerGain: 2, paidFollowerGain: 0 } })] };
      const facet = (name: string, urn: string, organicFollowerCount: number) => ({
        [name]: urn,
        followerCounts: { organicFollowerCount, paidFollowerCount: 0 },
      });
      return {
        elements: [
          { followerCountsBySeniority: [facet('seniority', 'urn:li:seniority:4', 3), facet('seniority', 'urn:li:seniority:5', 1)] },
        ],
      };
    }
    if (path.endsWith('/seniorities')) return { results: { 4: { name: { localized: { en_US: 'Senior' } } } } };
    return path.endsWith('/posts') ? { elements: [] } : {};
  });
  const statistics = await account.reading.readAccount(account.call, range);
  expect(statistics).toMatchObject({
    ...{ followers: 321, impressions: 15, reach: 12, profileViews: 7, websiteClicks: 3, unavailable: [] },
    // If LinkedIn does not return a name, the id is kept.
    audience: { seniority: { Senior: 0.75, 'urn:li:seniority:5': 0.25 }, industry: null, age: null, gender: null },
    rawMetrics: { impressionCount: 15, organicFollowerGain: 2 },
  });
  // Oldest first, whatever the order in which they came.
  expect(statistics.series[0]?.values).toEqual([
    { endTime: new Date('2026-11-02T00:00:00Z'), value: 10 },
    { endTime: new Date('2026-11-03T00:00:00Z'), value: 5 },
  ]);
  expect(
    account.requests().some((call) => call.includes(`timeRange:(start:${Date.parse('2026-11-01')},end:${Date.parse('2026-11-03')})`)),
  ).toBe(true);
});

test.each([
  ['a page with another button', null, [button('CONTACT_US', 8)]],
  ['a page without a button', null, []],
  ['a page whose clicks LinkedIn does not return', null, [button('VISIT_WEBSITE')]],
  ['a page with a button for the website that nobody clicked', 0, [button('VISIT_WEBSITE', 0)]],
])('the website clicks of %s are %s', async (_what, expected, desktopCustomButtonClickCounts) => {
  await reads((path) => {
    if (path.includes('/networkSizes/')) return { firstDegreeSize: 321 };
    if (path.endsWith('/organizationPageStatistics'))
      return { elements: [pageDay('2026-11-01', 5, { mobileCustomButtonClickCounts: [], desktopCustomButtonClickCounts })] };
    return { elements: [] };
  });
  expect(await account.reading.readAccount(account.call, range)).toMatchObject({ profileViews: 5, websiteClicks: expected });
});

test('a personal profile has neither statistics nor posts, with a reason', async () => {
  await reads(() => ({}));
  expect(account.reading.lack?.({ accountId: 'urn:li:person:1' })).toMatch(/personal profiles/);
  expect(account.reading.lack?.({ accountId: 'urn:li:organization:1' })).toBeUndefined();
});

const post = (id: string, more: object = {}) => ({
  id,
  author: PAGE,
  commentary: 'Fresh \\(bread\\)',
  publishedAt: Date.parse('2026-11-10'),
  lifecycleState: 'PUBLISHED',
  ...more,
});

test('posts are listed with their statistics, read in one call for each kind of URN', async () => {
  await reads((path, query) => {
    if (path.endsWith('/posts'))
      return {
        elements: [post('urn:li:share:1'), post('urn:li:ugcPost:2', { content: { media: { id: 'urn:li:video:3', title: 'Film' } } })],
        paging: { total: 12 },
      };
    if (path.endsWith('/videos')) return { results: {} };
    if (path.endsWith('/videoAnalytics'))
      return {
        elements: [{ value: { VIDEO_VIEW: 10, TIME_WATCHED: 500, TIME_WATCHED_FOR_VIDEO_VIEWS: 400 }[query['type'] as 'VIDEO_VIEW'] }],
      };
    const share = query['shares'] !== undefined;
    const statistics = {
      likeCount: share ? 1 : 2,
      commentCount: 3,
      shareCount: 4,
      clickCount: 5,
      impressionCount: 60,
      uniqueImpressionsCount: 50,
    };
    return { elements: [{ ...(share ? { share: 'urn:li:share:1' } : { ugcPost: 'urn:li:ugcPost:2' }), totalShareStatistics: statistics }] };
  });
  const { posts, next, totalCount } = await account.reading.listPosts(account.call, { pageSize: 2, cursor: '4' });
  expect({ next, totalCount }).toEqual({ next: '6', totalCount: 12 });
  expect(posts).toMatchObject([
    {
      publishId: 'urn:li:share:1',
      caption: 'Fresh (bread)',
      mediaType: 'text',
      stats: { likes: 1, commentCount: 3, shares: 4, clicks: 5, impressions: 60, reach: 50, views: null },
    },
    {
      publishId: 'urn:li:ugcPost:2',
      mediaType: 'video',
      title: 'Film',
      stats: { likes: 2, views: 10, totalWatchTimeMs: 500, avgWatchTimeMs: 40 },
    },
  ]);
});

const image = (id: string) => `urn:li:image:${id}`;
const withContent = [
  post('urn:li:share:1', { content: { media: { id: image('A1'), altText: 'A loaf' } } }),
  post('urn:li:share:2', { content: { multiImage: { images: [{ id: image('A2') }, { id: image('A1') }, { id: image('gone') }] } } }),
  post('urn:li:share:3', { content: { article: { source: 'https://acme.example', title: 'Bread', thumbnail: image('A3') } } }),
  post('urn:li:ugcPost:4', { content: { media: { id: 'urn:li:video:V-1', title: 'Film' } } }),
  post('urn:li:share:5', { content: { media: { id: 'urn:li:document:D1' } } }),
  post('urn:li:share:6'),
];
const urlOf = (id: string) => `https://media.example/${id}?e=1&t=x`;
const results = (...ids: string[]) => ({
  results: Object.fromEntries(ids.map((id) => [id, { id, status: 'AVAILABLE', downloadUrl: urlOf(id) }])),
  statuses: {},
  errors: { [image('gone')]: { status: 404, message: 'Could not find entity' } },
});
const listsPosts = (elements: object[], media: Respond) =>
  reads((path, ...request) => {
    if (path.endsWith('/posts')) return { elements, paging: { total: elements.length } };
    return /\/(images|videos)$/.test(path) ? media(path, ...request) : { elements: [] };
  });

test('posts have the URLs of their media, which are read in one call for all images and one for all videos', async () => {
  const video = { id: 'urn:li:video:V-1', downloadUrl: urlOf('V-1'), thumbnail: urlOf('cover') };
  await listsPosts(withContent, (path) =>
    path.endsWith('/videos') ? { results: { [video.id]: video } } : results(image('A1'), image('A2'), image('A3')),
  );
  const { posts } = await account.reading.listPosts(account.call, { pageSize: 10 });
  const [A1, A2, A3] = ['A1', 'A2', 'A3'].map((id) => urlOf(image(id)));
  expect(posts.map(({ thumbnailUrl, mediaUrls }) => [thumbnailUrl, mediaUrls])).toEqual([
    [A1, [A1]],
    [A2, [A2, A1]],
    [A3, []],
    [urlOf('cover'), [urlOf('V-1')]],
    ['', []],
    ['', []],
  ]);
  expect(account.requests().filter((request) => /(images|videos)\?/.test(request))).toEqual([
    `GET /rest/images?ids=List(${['A1', 'A2', 'gone', 'A3'].map(image).join(',')})`,
    'GET /rest/videos?ids=List(urn:li:video:V-1)',
  ]);
});

test('posts without media make no call about media', async () => {
  await listsPosts(withContent.slice(4), () => results());
  await account.reading.listPosts(account.call, { pageSize: 10 });
  expect(account.requests().filter((request) => /(images|videos)\?/.test(request))).toEqual([]);
});

test('posts are returned without URLs of their media if LinkedIn denies reading these', async () => {
  const forbidden = { status: 403, message: 'Accessing this video resource is forbidden. Please check your permissions for this resource' };
  await listsPosts(withContent, (path) => (path.endsWith('/videos') ? new Rejection(403, forbidden) : results(image('A1'))));
  const { posts } = await account.reading.listPosts(account.call, { pageSize: 10 });
  expect(posts).toHaveLength(6);
  expect(posts[0]).toMatchObject({ mediaUrls: [urlOf(image('A1'))], altText: 'A loaf' });
  expect(posts[3]).toMatchObject({ mediaType: 'video', title: 'Film', thumbnailUrl: '', mediaUrls: [] });
});

test('the call about the images of a long list stays below the length that LinkedIn accepts', async () => {
  const many = Array.from({ length: 100 }, (_, at) =>
    post(`urn:li:share:${at}`, { content: { media: { id: image(`C4E10AQ${at}FoyyAjHPMQuQ`) } } }),
  );
  await listsPosts(many, () => results());
  await account.reading.listPosts(account.call, { pageSize: 100 });
  const [call = '', ...others] = account.requests().filter((request) => request.includes('/images?'));
  expect(others).toEqual([]);
  expect(call.replaceAll('urn:li:image:', encodeURIComponent('urn:li:image:')).length).toBeLessThan(4_096);
});

test('posts of other pages are not read', async () => {
  await reads((path) => (path.includes('/posts/') ? post('urn:li:share:1', { author: 'urn:li:organization:66' }) : {}));
  expect(await account.reading.readPosts(account.call, ['urn:li:share:1'])).toEqual([]);
});

const denied = new Rejection(403, { status: 403, code: 'ACCESS_DENIED', message: 'Not enough permissions' });

test("posts that LinkedIn denies access to belong to others, unless it also denies access to the page's own posts", async () => {
  await reads((path) => (path.endsWith('/posts') ? { elements: [] } : denied));
  expect(await account.reading.readPosts(account.call, ['urn:li:share:1'])).toEqual([]);
  await account.close();
  await reads(() => denied);
  await expect(account.reading.readPosts(account.call, ['urn:li:share:1'])).rejects.toMatchObject({ class: 'permission' });
});

test('a cursor of another list is rejected without a request', async () => {
  await reads(() => ({}));
  await expect(account.reading.listPosts(account.call, { pageSize: 2, cursor: '../1' })).rejects.toMatchObject({
    detail: { param: 'cursor' },
  });
  expect(account.requests()).toEqual([]);
});
