import { allScopes, connectPinterest } from './connect-pinterest.ts';
import { connectorReading, dayBack } from './connector-reading.ts';
import { uploadVideo } from './pinterest-video.ts';
import { mediaServer, queryOf, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let user: Awaited<ReturnType<typeof connectPinterest>>;
let advertiser: Awaited<ReturnType<typeof connectPinterest>>;
let stranger: string;
let me: string;
let imagePin: string;
let carousel: string;
let videoPin: string;
let strangersPin: string;
beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  stranger = (await sandbox.control('/accounts', { platform: 'pinterest', username: 'mill', name: 'The Mill' })).body.id;
  user = await connectPinterest(sandbox);
  me = (await user.get('user_account')).body.id;
  advertiser = await connectPinterest(sandbox, withAds);
  const image = { source_type: 'image_url', url: media.url('square.jpg') };
  const items = ['square.jpg', 'second.jpg'].map((file) => ({ url: media.url(file) }));
  strangersPin = await pin(await connectPinterest(sandbox, allScopes, stranger), image);
  imagePin = await pin(user, image);
  carousel = await pin(user, { source_type: 'multiple_image_urls', items });
  videoPin = await pin(user, {
    source_type: 'video_id',
    media_id: await uploadVideo(sandbox, user),
    cover_image_url: media.url('square.jpg'),
  });
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});
afterEach(() => {
  sandbox.clock.aheadMs = 0;
});

const pin = async (by: typeof user, media_source: object): Promise<string> =>
  (await by.post('pins', { board_id: by.board, media_source })).body.id;
const choose = (id: string, statistics: object, day?: string) => sandbox.control(`/statistics/${id}`, { statistics, day }, 'PUT');
const days = (back: number, to = 0) => ({ start_date: dayBack(sandbox.clock, back), end_date: dayBack(sandbox.clock, to) });
const ofAccount = (query: Record<string, string>, by = user) => by.get(`user_account/analytics?${queryOf(query)}`);
const ofPin = (id: string, query: Record<string, string>, by = user) => by.get(`pins/${id}/analytics?${queryOf(query)}`);
const saves = { metric_types: 'SAVE' };
const withAds = `${allScopes},ads:read`;
const adAccountsOf = async (by = advertiser) => (await by.get('ad_accounts?page_size=1&include_shared_accounts=false')).body.items;
const audienceOf = (id: string, type = 'YOUR_TOTAL_AUDIENCE') =>
  advertiser.get(`ad_accounts/${id}/audience_insights?audience_insight_type=${type}`);

it('counts each day of an account, the same each time, and marks days that are not final', async () => {
  await choose(me, { impressions: 200, saves: 10 }, dayBack(sandbox.clock, 3));
  const { all } = (await ofAccount({ ...days(3), metric_types: 'IMPRESSION,SAVE,SAVE_RATE' })).body;
  expect(all.daily_metrics.map((day: { data_status: string }) => day.data_status)).toEqual(['READY', 'READY', 'ESTIMATE', 'PROCESSING']);
  expect(all.daily_metrics[0]).toEqual({
    data_status: 'READY',
    date: dayBack(sandbox.clock, 3),
    metrics: { IMPRESSION: 200, SAVE: 10, SAVE_RATE: 0.05 },
  });
  const impressions: number[] = all.daily_metrics.map((day: { metrics: { IMPRESSION: number } }) => day.metrics.IMPRESSION);
  expect(all.summary_metrics.IMPRESSION).toBe(impressions.reduce((sum, one) => sum + one, 0));
  expect((await ofAccount({ ...days(3), metric_types: 'IMPRESSION,SAVE,SAVE_RATE' })).body.all).toEqual(all);
  const whole = (await ofAccount(days(90))).body.all;
  expect(whole.daily_metrics).toHaveLength(91);
  expect(Object.keys(whole.summary_metrics)).toHaveLength(9);
});

it('counts the followers of an account, and its monthly views', async () => {
  await choose(me, { followers: 5 });
  expect((await user.get('user_account')).body).toMatchObject({ follower_count: 5, pin_count: 3, monthly_views: expect.any(Number) });
});

it('counts pins, more as they grow older, and returns values that a test sets', async () => {
  const impressions = async () => (await user.get(`pins/${imagePin}?pin_metrics=true`)).body.pin_metrics.lifetime_metrics.impression;
  const fresh = await impressions();
  sandbox.clock.aheadMs = 20 * HOUR_MS;
  expect(await impressions()).toBeGreaterThan(fresh);
  await choose(imagePin, { likes: 77, clicks: 4 });
  const { items } = (await user.get('pins?pin_metrics=true')).body;
  expect(items.at(-1)).toMatchObject({
    id: imagePin,
    pin_metrics: { '90d': { pin_click: 8, clickthrough: 4 }, lifetime_metrics: { clickthrough: 4, reaction: 77, comment: 0 } },
  });
  expect((await user.get('pins')).body.items.at(-1).pin_metrics).toBeNull();
});

it('divides the statistics of a pin among its days', async () => {
  const born = dayBack(sandbox.clock);
  await choose(carousel, { saves: 50, likes: 9 });
  sandbox.clock.aheadMs = 4 * DAY_MS;
  const { all } = (await ofPin(carousel, { ...days(6), metric_types: 'SAVE,TOTAL_REACTIONS,TOTAL_COMMENTS' })).body;
  expect(all).toMatchObject({ lifetime_metrics: { TOTAL_REACTIONS: 9, TOTAL_COMMENTS: 0 }, summary_metrics: { SAVE: 50 } });
  expect(all.daily_metrics).toHaveLength(7);
  expect(all.daily_metrics[0]).toMatchObject({ data_status: 'BEFORE_PIN_CREATED', metrics: {} });
  const first = all.daily_metrics.find(({ date }: { date: string }) => date === born);
  expect(first).toMatchObject({ data_status: 'READY', metrics: { SAVE: expect.any(Number) } });
  expect((await ofPin(carousel, { ...days(1), ...saves })).body.all.summary_metrics.SAVE).toBeLessThan(50);
});

it('has the lifetime statistics of a pin that is older than analytics go back, and less of its last days', async () => {
  await choose(imagePin, { impressions: 12_000 });
  sandbox.clock.aheadMs = 104 * DAY_MS;
  // The token of the others has expired by then.
  const late = await connectPinterest(sandbox);
  const { pin_metrics } = (await late.get(`pins/${imagePin}?pin_metrics=true`)).body;
  expect(pin_metrics.lifetime_metrics.impression).toBe(12_000);
  expect(pin_metrics['90d'].impression).toBeLessThan(12_000);
});

it('has the audience of an ad account, the same each time, whose shares add up to 1', async () => {
  await choose(me, { followers: 640 });
  const [{ id, owner }] = await adAccountsOf();
  expect(owner).toEqual({ id: me, username: 'fanfare_demo' });
  const { status, body } = await audienceOf(id);
  expect([status, body.type]).toEqual([200, 'YOUR_TOTAL_AUDIENCE']);
  expect(Object.keys(body.demographics).sort()).toEqual(['ages', 'countries', 'devices', 'genders', 'metros']);
  for (const shares of Object.values<{ ratio: number }[]>(body.demographics))
    expect(shares.reduce((sum, { ratio }) => sum + ratio, 0)).toBeCloseTo(1, 10);
  expect((await audienceOf(id)).body).toEqual(body);
  expect((await audienceOf(id, 'PINTEREST_TOTAL_AUDIENCE')).body.demographics).not.toEqual(body.demographics);
});

it('has no ad account of a user with few followers, and does not show those of others', async () => {
  const other = await connectPinterest(sandbox, withAds, stranger);
  await choose(stranger, { followers: 100 });
  const [{ id }] = await adAccountsOf(other);
  expect(await audienceOf(id)).toMatchObject({ status: 403, body: { code: 29 } });
  await choose(stranger, { followers: 99 });
  expect(await adAccountsOf(other)).toEqual([]);
  expect(await audienceOf(id)).toMatchObject({ status: 404 });
});

it.each([
  ['no days', () => ofAccount({})],
  ['no last day', () => ofAccount({ start_date: days(3).start_date })],
  ['a time', () => ofAccount({ ...days(3), end_date: new Date().toISOString() })],
  ['a day that does not exist', () => ofAccount({ ...days(3), end_date: '2026-02-30' })],
  ['an end before the start', () => ofAccount(days(1, 3))],
  ['91 days back', () => ofAccount(days(91, 3))],
  ['an end more than 90 days later', () => ofAccount(days(80, -11))],
  ['metrics that an account does not have', () => ofAccount({ ...days(3), metric_types: 'IMPRESSION,REACH' })],
  ['another split', () => ofAccount({ ...days(3), split_field: 'AGE' })],
  ['an unknown parameter', () => ofAccount({ ...days(3), granularity: 'DAY' })],
  ['a pin without metrics', () => ofPin(imagePin, days(3))],
  ['metrics that pins do not have', () => ofPin(imagePin, { ...days(3), metric_types: 'ENGAGEMENT' })],
  ['metrics of videos for an image', () => ofPin(imagePin, { ...days(3), metric_types: 'VIDEO_MRC_VIEW' })],
  ['a pin id that is a text', () => ofPin('bread', { ...days(3), ...saves })],
  ['an audience without its type', () => advertiser.get('ad_accounts/1/audience_insights')],
  ['an unknown audience', () => audienceOf('1', 'FOLLOWERS')],
  ['an ad account id that is a text', () => audienceOf('mine')],
  ['more ad accounts than a page has', () => advertiser.get('ad_accounts?page_size=251')],
  ['shared ad accounts that are neither true nor false', () => advertiser.get('ad_accounts?include_shared_accounts=0')],
  ['metrics of a list that are neither true nor false', () => user.get('pins?pin_metrics=1')],
])('rejects %s', async (_what, send) => {
  expect(await send()).toMatchObject({ status: 400, body: { code: 1, message: expect.stringContaining('Invalid request') } });
});

it('returns nothing for pins of others, and pins that do not exist', async () => {
  expect(await ofPin(strangersPin, { ...days(3), ...saves })).toMatchObject({ status: 403, body: { code: 7 } });
  expect(await ofPin('12345', { ...days(3), ...saves })).toMatchObject({ status: 404, body: { code: 50 } });
  expect((await user.get('pins')).body.items).not.toContainEqual(expect.objectContaining({ id: strangersPin }));
});

it('returns analytics only with their scopes', async () => {
  const rejected = { status: 403, body: { code: 7, message: expect.stringContaining('required scopes') } };
  expect(await ofAccount(days(3), await connectPinterest(sandbox, 'boards:read,pins:read'))).toMatchObject(rejected);
  const other = await connectPinterest(sandbox, 'boards:read,user_accounts:read');
  expect(await ofPin(imagePin, { ...days(3), ...saves }, other)).toMatchObject(rejected);
  expect(await user.get('ad_accounts')).toMatchObject(rejected);
  expect(await user.get('ad_accounts/1/audience_insights?audience_insight_type=YOUR_TOTAL_AUDIENCE')).toMatchObject(rejected);
});

it('limits the rate of analytics separately from other reads', async () => {
  const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.01' });
  const busy = await connectPinterest(tight);
  const statuses: number[] = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await ofAccount(days(3), busy)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await busy.get('user_account')).status).toBe(200);
  await tight.stop();
});

it('is read by the connector', async () => {
  sandbox.clock.aheadMs = 20 * HOUR_MS;
  await choose(me, { followers: 640 });
  await choose(me, { impressions: 300, website_clicks: 12 }, dayBack(sandbox.clock, 3));
  await choose(me, { impressions: 100, website_clicks: 3 }, dayBack(sandbox.clock, 2));
  await choose(imagePin, { likes: 77, clicks: 4, saves: 6, impressions: 900 });
  await choose(videoPin, { views: 100, completed: 25, watch_time_ms: 250_000 });
  const accessToken = String(advertiser.tokens['access_token']);
  const reader = connectorReading(sandbox, 'pinterest', { accountId: me, username: '', accessToken }, withAds.split(','));
  expect(await reader.account(['IMPRESSION', 'ENGAGEMENT'])).toMatchObject({
    ...{ followers: 640, following: 21, postsCount: 3, impressions: 400, websiteClicks: 15, unavailable: [] },
    series: [
      { name: 'IMPRESSION', values: [{ value: 300 }, { value: 100 }, { value: null }] },
      { name: 'ENGAGEMENT', values: [{}, {}, { value: null }] },
    ],
    audience: {
      age: { '18-24': expect.any(Number), '65+': expect.any(Number) },
      gender: { FEMALE: expect.any(Number), MALE: expect.any(Number), UNKNOWN: expect.any(Number) },
      country: null,
    },
  });
  const first = await reader.list(2);
  const second = await reader.list(2, first.next);
  expect([...first.posts, ...second.posts].map(({ publishId }) => publishId)).toEqual([videoPin, carousel, imagePin]);
  expect([...first.posts, ...second.posts].map(({ mediaType }) => mediaType)).toEqual(['video', 'album', 'image']);
  expect(second.next).toBeUndefined();
  expect(second.posts).toMatchObject([{ stats: { likes: 77, commentCount: 0, impressions: 900, clicks: 4 } }]);
  const watched = { views: 100, completionRate: 0.2, totalWatchTimeMs: 250_000, avgWatchTimeMs: 2_500, videoDurationMs: 6_000 };
  expect(await reader.posts(imagePin, videoPin, strangersPin, '12345')).toMatchObject([
    { publishId: imagePin, stats: { likes: 77, saves: 6, views: null, reach: null } },
    { publishId: videoPin, stats: watched },
  ]);
  await reader.close();
});
