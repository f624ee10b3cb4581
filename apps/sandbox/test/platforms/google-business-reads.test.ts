import { connectBusiness, imageServer } from './connect-google-business.ts';
import { connectorReading, dayBack } from './connector-reading.ts';
import { runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof imageServer>>;
let user: Awaited<ReturnType<typeof connectBusiness>>;
let text: string;
let photo: string;
let strangersPost: string;
let strangersPlace: string;
beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  media = await imageServer();
  const [demo] = (await sandbox.control('/accounts?platform=google_business')).body.items;
  strangersPlace = (await sandbox.control('/accounts', { platform: 'google_business', username: 'mill', name: 'The Mill' })).body.id;
  const stranger = await connectBusiness(sandbox, undefined, strangersPlace);
  strangersPost = (await stranger.post({ topicType: 'STANDARD', summary: 'Flour' })).body.name;
  user = await connectBusiness(sandbox, undefined, demo.id);
  text = (await user.post({ topicType: 'STANDARD', summary: 'Open' })).body.name;
  const image = { mediaFormat: 'PHOTO', sourceUrl: media.url('/good.jpg') };
  photo = (await user.post({ topicType: 'STANDARD', summary: 'Bread', media: [image] })).body.name;
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

const numberOf = (place: string) => place.replace(/.*\//, '');
const choose = (statistics: object, day: string) =>
  sandbox.control(`/statistics/${encodeURIComponent(user.location)}`, { statistics, day }, 'PUT');
const date = (name: string, day: string) => {
  const [year, month, dayOfMonth] = day.split('-').map(Number);
  return `${name}.year=${year}&${name}.month=${month}&${name}.day=${dayOfMonth}`;
};
const days = (back: number, to: number) =>
  `${date('dailyRange.startDate', dayBack(sandbox.clock, back))}&${date('dailyRange.endDate', dayBack(sandbox.clock, to))}`;
const metrics = (query: string, place = user.location) =>
  user.get(`https://businessprofileperformance.googleapis.com/v1/locations/${numberOf(place)}:fetchMultiDailyMetricsTimeSeries?${query}`);

interface Series {
  dailyMetric: string;
  timeSeries: { datedValues: { date: object; value?: string }[] };
}
const seriesOf = async (query: string): Promise<Series[]> =>
  (await metrics(query)).body.multiDailyMetricTimeSeries[0].dailyMetricTimeSeries;
const valuesOf = (series: Series | undefined) => series?.timeSeries.datedValues.map(({ value }) => value);

it('counts each day of a location, the same each time, as text', async () => {
  await choose({ website_clicks: 7 }, dayBack(sandbox.clock, 5));
  await choose({ website_clicks: 0 }, dayBack(sandbox.clock, 4));
  const query = `dailyMetrics=WEBSITE_CLICKS&dailyMetrics=BUSINESS_IMPRESSIONS_MOBILE_SEARCH&${days(5, 1)}`;
  const [clicks, impressions] = await seriesOf(query);
  expect(clicks?.dailyMetric).toBe('WEBSITE_CLICKS');
  const [year, month, day] = dayBack(sandbox.clock, 5).split('-').map(Number);
  expect(clicks?.timeSeries.datedValues[0]).toEqual({ date: { year, month, day }, value: '7' });
  // A day without views, a day with some, and two that Google does not have yet.
  const some = expect.stringMatching(/^[1-9]\d*$/);
  expect(valuesOf(clicks)).toEqual(['7', undefined, some, undefined, undefined]);
  expect(valuesOf(impressions)).toEqual([some, some, some, undefined, undefined]);
  expect(await seriesOf(query)).toEqual([clicks, impressions]);
});

it('accepts names in either spelling', async () => {
  const range = days(5, 4).replaceAll('startDate', 'start_date').replaceAll('endDate', 'end_date');
  const both = [await seriesOf(`dailyMetrics=CALL_CLICKS&${days(5, 4)}`), await seriesOf(`daily_metrics=CALL_CLICKS&${range}`)];
  expect(both[0]).toHaveLength(1);
  expect(both[1]).toEqual(both[0]);
});

it('divides impressions by maps and search, and by phones and computers', async () => {
  await choose({ impressions: 1_000 }, dayBack(sandbox.clock, 6));
  const surfaces = ['DESKTOP_MAPS', 'DESKTOP_SEARCH', 'MOBILE_MAPS', 'MOBILE_SEARCH'];
  const series = await seriesOf(`${surfaces.map((one) => `dailyMetrics=BUSINESS_IMPRESSIONS_${one}`).join('&')}&${days(6, 6)}`);
  expect(series.reduce((sum, one) => sum + Number(valuesOf(one)?.[0]), 0)).toBe(1_000);
});

it('has eighteen months, and nothing for metrics that are no longer counted', async () => {
  const [clicks, chats] = await seriesOf(`dailyMetrics=WEBSITE_CLICKS&dailyMetrics=BUSINESS_CONVERSATIONS&${days(700, 10)}`);
  expect(valuesOf(clicks)).toHaveLength(539);
  expect(valuesOf(chats)?.filter((value) => value !== undefined)).toEqual([]);
});

it.each([
  ['no metric', () => metrics(days(5, 4)), 'daily_metrics'],
  ['an unknown metric', () => metrics(`dailyMetrics=FOLLOWERS&${days(5, 4)}`), 'daily_metrics'],
  ['metrics in one parameter', () => metrics(`dailyMetrics=CALL_CLICKS,WEBSITE_CLICKS&${days(5, 4)}`), 'daily_metrics'],
  ['no range', () => metrics('dailyMetrics=CALL_CLICKS'), 'daily_range.start_date'],
  [
    'a range without an end',
    () => metrics(`dailyMetrics=CALL_CLICKS&${date('dailyRange.startDate', '2026-11-01')}`),
    'daily_range.end_date',
  ],
  [
    'a day that does not exist',
    () => metrics(`dailyMetrics=CALL_CLICKS&${date('dailyRange.startDate', '2026-02-30')}&${date('dailyRange.endDate', '2026-03-02')}`),
    'daily_range.start_date',
  ],
  ['a month by its name', () => metrics(`dailyMetrics=CALL_CLICKS&dailyRange.startDate.month=May`), 'daily_range.start_date.month'],
  ['an end before the start', () => metrics(`dailyMetrics=CALL_CLICKS&${days(4, 5)}`), 'daily_range'],
  ['an unknown parameter', () => metrics(`dailyMetrics=CALL_CLICKS&${days(5, 4)}&pageSize=5`), 'pageSize'],
])('rejects %s', async (_what, send, field) => {
  const { status, body } = await send();
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field }] }] });
});

it('has statistics only of locations that the person manages, and only with the scope', async () => {
  const query = `dailyMetrics=CALL_CLICKS&${days(5, 4)}`;
  expect(await metrics(query, strangersPlace)).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } });
  expect(await metrics(query, 'locations/1')).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } });
  const { get } = await connectBusiness(sandbox, 'openid');
  const url = `https://businessprofileperformance.googleapis.com/v1/locations/${numberOf(user.location)}`;
  expect(await get(`${url}:fetchMultiDailyMetricsTimeSeries?${query}`)).toMatchObject({ status: 403 });
  expect((await user.get(`${url}:getAllMetrics`)).status).toBe(404);
});

it('is read by the connector', async () => {
  await choose({ impressions: 500, website_clicks: 20 }, dayBack(sandbox.clock, 6));
  await choose({ impressions: 300, website_clicks: 0 }, dayBack(sandbox.clock, 5));
  await choose({ impressions: 200, website_clicks: 2, clicks: 0 }, dayBack(sandbox.clock, 4));
  const accessToken = user.headers.authorization.replace('Bearer ', '');
  const reader = connectorReading(sandbox, 'google_business', { accountId: user.location, username: '', accessToken });
  const account = await reader.account(['WEBSITE_CLICKS', 'CALL_CLICKS'], 6);
  expect(account).toMatchObject({ followers: null, profileViews: null, unavailable: [], audience: { age: null } });
  const [clicks, calls] = account.series.map(({ values }) => values.map(({ value }) => value));
  const latest = clicks?.[3] ?? 0;
  expect(latest).toBeGreaterThanOrEqual(0);
  expect(clicks).toEqual([20, 0, 2, latest, null, null]);
  expect(calls?.[2]).toBe(0);
  expect(account.websiteClicks).toBe(22 + latest);
  expect(account.impressions).toBeGreaterThan(1_000);
  const first = await reader.list(1);
  const second = await reader.list(1, first.next);
  expect([...first.posts, ...second.posts].map(({ publishId }) => publishId)).toEqual([photo, text]);
  expect(second.next).toBeUndefined();
  expect(first).toMatchObject({
    unavailable: 'Google no longer provides statistics for single posts.',
    posts: [{ caption: 'Bread', mediaType: 'image', type: 'STANDARD', mediaUrls: [expect.stringMatching(/^https:/)] }],
  });
  const gone = `${user.location}/localPosts/1`;
  expect(await reader.posts(text, strangersPost, gone)).toMatchObject([{ publishId: text, caption: 'Open', stats: { views: null } }]);
  await reader.close();
});
