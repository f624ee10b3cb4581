import { connectChannel, everything, scope } from './connect-youtube.ts';
import { connectorReading, dayBack } from './connector-reading.ts';
import { queryOf, reel, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

const DAY_MS = 24 * 3_600_000;
const scopes = `${everything} ${scope('yt-analytics.readonly')}`;
let sandbox: RunningSandbox;
let channel: Awaited<ReturnType<typeof connectChannel>>;
let id: string;
let first: string;
let second: string;
let hidden: string;
let strangersVideo: string;
beforeAll(async () => {
  sandbox = await runningSandbox();
  channel = await connectChannel(sandbox, scopes);
  id = (await channel.get('channels?part=id&mine=true')).body.items[0].id;
  first = await upload(channel, 'One');
  hidden = await upload(channel, 'Hidden', { privacyStatus: 'private' });
  second = await upload(channel, 'Two');
  const { body: stranger } = await sandbox.control('/accounts', { platform: 'youtube', username: 'mill', name: 'The Mill' });
  strangersVideo = await upload(await connectChannel(sandbox, scopes, stranger.id), 'Not yours');
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.clock.aheadMs = 0;
});

async function upload(by: typeof channel, title: string, status: object = {}): Promise<string> {
  const video = { snippet: { title, description: `About ${title}`, categoryId: '22' } };
  const { headers } = await by.start({ ...video, status: { privacyStatus: 'public', selfDeclaredMadeForKids: false, ...status } });
  return (await by.put(headers.get('location')!, `bytes 0-${reel.length - 1}/${reel.length}`, reel)).body.id;
}

const report = (query: Record<string, string>, by = channel) => {
  const range = { ids: 'channel==MINE', startDate: dayBack(sandbox.clock, 5), endDate: dayBack(sandbox.clock, 1), metrics: 'views' };
  const headers = { authorization: `Bearer ${by.tokens.access_token}` };
  return sandbox.call(`https://youtubeanalytics.googleapis.com/v2/reports?${queryOf({ ...range, ...query })}`, { headers });
};
/** Tokens are valid for an hour. */
async function later(days: number): Promise<typeof channel> {
  sandbox.clock.aheadMs = days * DAY_MS;
  return connectChannel(sandbox, scopes);
}
const sum = (rows: [string, number][]) => rows.reduce((total, [, count]) => total + count, 0);

it('reports days until two days ago, with the requested columns', async () => {
  const { body } = await report({ metrics: 'views,averageViewPercentage', dimensions: 'day', sort: 'day' });
  expect(body.columnHeaders).toEqual([
    { name: 'day', columnType: 'DIMENSION', dataType: 'STRING' },
    { name: 'views', columnType: 'METRIC', dataType: 'INTEGER' },
    { name: 'averageViewPercentage', columnType: 'METRIC', dataType: 'FLOAT' },
  ]);
  expect(body.rows.map(([day]: [string]) => day)).toEqual([5, 4, 3, 2].map((back) => dayBack(sandbox.clock, back)));
  const { rows } = (await report({})).body;
  expect(rows).toEqual([[sum(body.rows)]]);
  expect((await report({ startDate: dayBack(sandbox.clock), endDate: dayBack(sandbox.clock), dimensions: 'day' })).body.rows).toEqual([]);
});

it('divides viewers into groups, if there are any', async () => {
  const ages = (await report({ metrics: 'viewerPercentage', dimensions: 'ageGroup' })).body.rows;
  expect(sum(ages)).toBeCloseTo(100, 6);
  expect(ages.map(([group]: [string]) => group)).toContain('age65-');
  for (const back of [5, 4, 3, 2]) {
    await sandbox.control(`/statistics/${id}`, { statistics: { video_views: 0 }, day: dayBack(sandbox.clock, back) }, 'PUT');
  }
  expect((await report({ metrics: 'viewerPercentage', dimensions: 'gender' })).body.rows).toEqual([]);
});

it('lists the most watched videos of the channel, without the newest ones and those of others', async () => {
  const old = await later(4);
  await sandbox.control(`/statistics/${second}`, { statistics: { views: 900, watch_time_ms: 5_400_000 } }, 'PUT');
  await sandbox.control(`/statistics/${first}`, { statistics: { views: 9 } }, 'PUT');
  const top = await report({ dimensions: 'video', sort: '-views', maxResults: '10', endDate: dayBack(sandbox.clock) }, old);
  expect(top.body.rows).toMatchObject(
    [
      [second, 900],
      [hidden, expect.any(Number)],
      [first, 9],
    ].toSorted((a, b) => Number(b[1]) - Number(a[1])),
  );
  const named = {
    dimensions: 'video',
    filters: `video==${second},${strangersVideo}`,
    metrics: 'estimatedMinutesWatched,averageViewDuration',
  };
  expect((await report({ ...named, endDate: dayBack(sandbox.clock) }, old)).body.rows).toEqual([[second, 90, 6]]);
  sandbox.clock.aheadMs = 0;
  expect((await report(named)).body.rows).toEqual([]);
});

it("lists all of the channel's own videos, and the public ones of others", async () => {
  const uploads = (await channel.get('channels?part=contentDetails&mine=true')).body.items[0].contentDetails.relatedPlaylists.uploads;
  const list = (playlist: string, more = '') => channel.get(`playlistItems?part=contentDetails&playlistId=${playlist}&maxResults=2${more}`);
  const page = (await list(uploads)).body;
  const next = (await list(uploads, `&pageToken=${page.nextPageToken}`)).body;
  const ids = [...page.items, ...next.items].map((item) => item.contentDetails.videoId);
  expect(ids).toEqual([second, hidden, first]);
  expect(page.pageInfo.totalResults).toBe(3);
  expect(next.nextPageToken).toBeUndefined();
  expect(await list(uploads, '&pageToken=other')).toMatchObject({
    status: 400,
    body: { error: { errors: [{ reason: 'invalidPageToken' }] } },
  });
  expect(await list('UUnobody')).toMatchObject({ status: 404, body: { error: { errors: [{ reason: 'playlistNotFound' }] } } });
});

it.each([
  ['another metric', { metrics: 'views,fame' }, 400, /Unknown identifier \(fame\)/],
  ['a metric that the dimension lacks', { metrics: 'subscribersGained', dimensions: 'video', filters: 'video==a' }, 400, /not supported/],
  ['another dimension', { dimensions: 'moonPhase' }, 400, /not supported/],
  ['videos without a filter or a number', { dimensions: 'video' }, 400, /not supported/],
  ['another filter', { filters: 'mood==good' }, 400, /not supported/],
  ['too many videos', { dimensions: 'video', filters: `video==${Array.from({ length: 501 }, () => 'a').join(',')}` }, 400, /Too many/],
  ['a missing date', { startDate: '' }, 400, /missing a required parameter: startDate/],
  ['a time instead of a date', { startDate: '2026-01-01T00:00:00Z' }, 400, /startDate/],
  ['a range that ends before it starts', { endDate: '2020-01-01' }, 400, /end date/],
  ['a sort by a column that was not requested', { sort: 'likes' }, 400, /Invalid sort/],
  ['an unknown parameter', { currency: 'EUR' }, 400, /currency/],
  ['a channel of others', { ids: 'channel==UCother' }, 403, /Forbidden/],
])('rejects %s', async (_what, query: Record<string, string>, status, message) => {
  const response = await report(query);
  expect(response.status).toBe(status);
  expect(response.body.error.message).toMatch(message);
});

it('returns reports only with their permission', async () => {
  const other = await connectChannel(sandbox);
  expect(await report({}, other)).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'insufficientPermissions' }] } } });
});

it('is read by the connector', async () => {
  await sandbox.control(`/statistics/${id}`, { statistics: { followers: 12_345 } }, 'PUT');
  const { tokens } = await later(4);
  const reader = connectorReading(sandbox, 'youtube', { accountId: id, username: '', accessToken: tokens.access_token });
  const account = await reader.account(['views', 'subscribersGained', 'averageViewDuration'], 4);
  expect(account).toMatchObject({ followers: 12_300, postsCount: 2, impressions: null, reach: null });
  expect(account.series.map(({ name, values }) => [name, values.length])).toEqual([
    ['views', 3],
    ['subscribersGained', 3],
    ['averageViewDuration', 3],
  ]);
  for (const shares of [account.audience.age, account.audience.gender, account.audience.country]) {
    expect(Object.values(shares ?? {}).reduce((all, one) => all + one, 0)).toBeCloseTo(1, 2);
  }
  const one = await reader.list(2);
  const other = await reader.list(2, one.next);
  expect([...one.posts, ...other.posts].map(({ publishId }) => publishId)).toEqual([second, hidden, first]);
  expect(one.totalCount).toBe(3);
  expect(await reader.posts(second, strangersVideo, 'nothing')).toMatchObject([
    {
      ...{ publishId: second, title: 'Two', caption: 'About Two', permalinkUrl: `https://www.youtube.com/watch?v=${second}` },
      stats: { views: 900, avgWatchTimeMs: 6_000, totalWatchTimeMs: 5_400_000, impressions: null, saves: null },
    },
  ]);
  await reader.close();
});
