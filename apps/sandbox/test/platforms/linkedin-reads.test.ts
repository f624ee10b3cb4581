import { aPost, connectLinkedin } from './connect-linkedin.ts';
import { connectorReading, dayBack } from './connector-reading.ts';
import { reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

const HOUR_MS = 3_600_000;
let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectLinkedin>>;
let page: string;
let share: string;
let videoPost: string;
let strangersPage: string;
let strangersPost: string;
beforeAll(async () => {
  sandbox = await runningSandbox();
  user = await connectLinkedin(sandbox);
  page = user.page;
  share = await post(aPost(page));
  videoPost = await post(aPost(page, { content: { media: { id: await video(), title: 'Video' } } }));
  // A page that was created after the consent is not part of it.
  strangersPage = (await sandbox.control('/accounts', { platform: 'linkedin', username: 'mill', name: 'The Mill' })).body.id;
  strangersPost = (await (await connectLinkedin(sandbox)).post('posts', aPost(strangersPage))).headers.get('x-restli-id')!;
});
afterAll(() => sandbox.stop());
afterEach(() => {
  sandbox.clock.aheadMs = 0;
});

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
const impressionsOf = (element: { totalShareStatistics: { impressionCount: number } }) => element.totalShareStatistics.impressionCount;
const post = async (body: object): Promise<string> => (await user.post('posts', body)).headers.get('x-restli-id')!;
const encoded = encodeURIComponent;
/** Large enough for LinkedIn. */
const bytes = Buffer.concat([reel, Buffer.alloc(80_000)]);

async function video(): Promise<string> {
  const initializeUploadRequest = { owner: page, fileSizeBytes: bytes.length, uploadCaptions: false, uploadThumbnail: false };
  const { value } = (await user.post('videos?action=initializeUpload', { initializeUploadRequest })).body;
  const etag = (await user.put(value.uploadInstructions[0].uploadUrl, bytes)).headers.get('etag')!;
  const finalizeUploadRequest = { video: value.video, uploadToken: value.uploadToken, uploadedPartIds: [etag] };
  await user.post('videos?action=finalizeUpload', { finalizeUploadRequest });
  await until(
    () => user.get(`videos/${encoded(value.video)}`),
    ({ body }) => body.status === 'AVAILABLE',
  );
  return value.video;
}

const statistics = (more = '', of = page) =>
  user.get(`organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encoded(of)}${more}`);
const followers = (more = '') =>
  user.get(`organizationalEntityFollowerStatistics?q=organizationalEntity&organizationalEntity=${encoded(page)}${more}`);
const range = (back: number, to: number) =>
  `start:${Date.parse(dayBack(sandbox.clock, back))},end:${Date.parse(dayBack(sandbox.clock, to))}`;
const days = (back: number, to = 0) => `&timeIntervals=(timeRange:(${range(back, to)}),timeGranularityType:DAY)`;

it('counts each day of a page, the same each time, or the whole range', async () => {
  const { elements } = (await statistics(days(3))).body;
  expect(elements).toHaveLength(3);
  expect(elements[0]).toMatchObject({
    organizationalEntity: page,
    timeRange: { start: Date.parse(dayBack(sandbox.clock, 3)), end: Date.parse(dayBack(sandbox.clock, 2)) },
    totalShareStatistics: { impressionCount: expect.any(Number), uniqueImpressionsCount: expect.any(Number) },
  });
  expect((await statistics(days(3))).body.elements).toEqual(elements);
  const whole = (await statistics(`&timeIntervals=(timeRange:(${range(3, 0)}))`)).body.elements;
  expect(whole).toMatchObject([{ totalShareStatistics: { impressionCount: total(elements.map(impressionsOf)) } }]);
  expect((await followers(days(2))).body.elements[0].followerGains).toMatchObject({ paidFollowerGain: 0 });
});

it('counts the clicks on the button of a page, of which there are fewer than views', async () => {
  const day = dayBack(sandbox.clock, 1);
  const ofDay = async () =>
    (await user.get(`organizationPageStatistics?q=organization&organization=${encoded(page)}${days(1)}`)).body.elements[0]
      .totalPageStatistics;
  const clicksIn = ({ clicks }: { clicks: Record<string, { customButtonType: string; clicks: number }[]> }) =>
    total(Object.values(clicks).flatMap((buttons) => buttons.map((button) => button.clicks)));
  const made = await ofDay();
  expect(clicksIn(made)).toBeLessThanOrEqual(made.views.allPageViews.pageViews);
  await sandbox.control(`/statistics/${encoded(page)}`, { day, statistics: { website_clicks: 5 } }, 'PUT');
  expect((await ofDay()).clicks).toEqual({
    desktopCustomButtonClickCounts: [{ customButtonType: 'VISIT_WEBSITE', clicks: 3 }],
    mobileCustomButtonClickCounts: [{ customButtonType: 'VISIT_WEBSITE', clicks: 2 }],
  });
});

it('has twelve months, without the current day', async () => {
  expect((await statistics(days(400, 364))).body.elements).toHaveLength(1);
  expect((await statistics(days(1, -2))).body.elements).toHaveLength(1);
});

it('counts the followers of a page by groups, whose names can be read', async () => {
  await sandbox.control(`/statistics/${page}`, { statistics: { followers: 1_000 } }, 'PUT');
  expect((await user.get(`networkSizes/${encoded(page)}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`)).body).toEqual({ firstDegreeSize: 1_000 });
  const [{ followerCountsBySeniority: groups }] = (await followers()).body.elements;
  const counts = groups.map(
    ({ followerCounts }: { followerCounts: { organicFollowerCount: number } }) => followerCounts.organicFollowerCount,
  );
  expect(total(counts)).toBe(1_000);
  const { results, errors } = (await user.get('seniorities?ids=List(4,77)')).body;
  expect(results).toMatchObject({ 4: { name: { localized: { en_US: 'Senior' } } } });
  expect(errors).toMatchObject({ 77: { status: 404 } });
});

it("counts posts, returns values that a test sets, and returns nothing of other authors' or deleted posts", async () => {
  sandbox.clock.aheadMs = 20 * HOUR_MS;
  const gone = await post(aPost(page));
  await sandbox.call(`https://api.linkedin.com/rest/posts/${encoded(gone)}`, { method: 'DELETE', headers: user.headers });
  await sandbox.control(`/statistics/${encoded(share)}`, { statistics: { likes: 77 } }, 'PUT');
  const { elements } = (await statistics(`&shares=List(${[share, strangersPost, gone].map(encoded).join(',')})`)).body;
  expect(elements).toMatchObject([{ share, totalShareStatistics: { likeCount: 77, impressionCount: expect.any(Number) } }]);
  const analytics = (urn: string, type: string) => user.get(`videoAnalytics?q=entity&entity=${encoded(urn)}&type=${type}`);
  expect((await analytics(videoPost, 'VIDEO_VIEW')).body.elements[0].value).toBeGreaterThan(0);
  expect((await analytics(share, 'VIDEO_VIEW')).body.elements).toEqual([]);
  expect(await analytics(strangersPost, 'VIDEO_VIEW')).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  expect(await analytics(videoPost, 'LIKES')).toMatchObject({ status: 400, body: { code: 'ILLEGAL_ARGUMENT' } });
});

it.each([
  [
    'encoded structure',
    () => statistics(encoded('&timeIntervals=(timeRange:(start:1,end:2))').replace('%26', '&').replace('%3D', '=')),
    400,
  ],
  ['plain colons in a URN', () => statistics(`&shares=List(${share})`), 400],
  ['a share among the ugcPosts', () => statistics(`&ugcPosts=List(${encoded(share)})`), 400],
  ['an end before the start', () => statistics(days(1, 3)), 400],
  ['another finder', () => user.get(`organizationPageStatistics?q=page&organization=${encoded(page)}`), 400],
  ['an unknown parameter', () => statistics('&count=10'), 400],
  ['statistics of a page of others', () => statistics(days(3), strangersPage), 403],
  ['statistics of a person', () => statistics(days(3), user.member), 400],
  ['another edge', () => user.get(`networkSizes/${encoded(page)}?edgeType=FOLLOWS`), 400],
  ['names by texts', () => user.get('industries?ids=List(food)'), 400],
])('rejects %s', async (_what, send, status) => {
  expect((await send()).status).toBe(status);
});

it('returns statistics only with the permission', async () => {
  const other = await connectLinkedin(sandbox, 'openid profile w_member_social');
  expect(await other.get(`organizationPageStatistics?q=organization&organization=${encoded(page)}`)).toMatchObject({
    status: 403,
    body: { code: 'ACCESS_DENIED' },
  });
});

it('is read by the connector', async () => {
  sandbox.clock.aheadMs = 20 * HOUR_MS;
  const reader = connectorReading(sandbox, 'linkedin', { accountId: page, username: '', accessToken: user.tokens.access_token });
  const account = await reader.account(['impressionCount', 'engagement', 'organicFollowerGain', 'allPageViews']);
  for (const number of [account.followers, account.impressions, account.reach, account.profileViews, account.websiteClicks])
    expect(number).toBeGreaterThan(0);
  expect(account.series.map(({ values }) => values.length)).toEqual([3, 3, 3, 3]);
  for (const shares of [account.audience.industry, account.audience.seniority, account.audience.function]) {
    expect(Object.values(shares ?? {}).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 2);
    expect(Object.keys(shares ?? {}).join()).not.toContain('urn:');
  }
  expect(Object.keys(account.audience.country ?? {}).sort()).toEqual(['AT', 'CH', 'DE', 'FR', 'US']);
  expect(account.postsCount).toBe(2);
  const first = await reader.list(1);
  const second = await reader.list(1, first.next);
  expect([...first.posts, ...second.posts].map(({ publishId }) => publishId)).toEqual([videoPost, share]);
  expect(second.next).toBeUndefined();
  const seen = expect.any(Number) as number;
  const stats = { likes: seen, commentCount: 0, shares: seen, clicks: seen, impressions: seen, reach: seen };
  expect(first).toMatchObject({
    totalCount: 2,
    posts: [
      {
        mediaType: 'video',
        mediaUrls: [expect.stringMatching(/^https:\/\/media\.licdn\.com\/dms\/video\//)],
        thumbnailUrl: expect.stringContaining('/thumbnail?'),
        stats: { ...stats, views: seen, totalWatchTimeMs: seen, avgWatchTimeMs: seen },
      },
    ],
  });
  expect(await reader.posts(share, strangersPost, 'urn:li:share:1')).toMatchObject([
    { publishId: share, stats: { ...stats, views: null } },
  ]);
  await reader.close();
});
