import { aReading, Rejection, type AReading, type Respond } from '../../test/a-reading.ts';

const LOCATION = 'accounts/1/locations/2';
let place: AReading;
const reads = async (respond: Respond) => (place = await aReading('google_business', LOCATION, respond));
afterEach(() => place.close());

const daily = (dailyMetric: string, ...values: readonly (string | undefined)[]) => ({
  dailyMetric,
  timeSeries: {
    datedValues: values.map((value, index) => ({
      date: { year: 2026, month: 11, day: index + 16 },
      ...(value !== undefined && { value }),
    })),
  },
});

test('the impressions of a location are those of all surfaces; days without a value are zero, or unknown if they are recent', async () => {
  await reads(() => ({
    multiDailyMetricTimeSeries: [
      {
        dailyMetricTimeSeries: [
          daily('BUSINESS_IMPRESSIONS_DESKTOP_MAPS', '1', '2'),
          daily('BUSINESS_IMPRESSIONS_DESKTOP_SEARCH', '3', undefined),
          daily('BUSINESS_IMPRESSIONS_MOBILE_MAPS', '4', undefined),
          daily('BUSINESS_IMPRESSIONS_MOBILE_SEARCH', '5', undefined),
          daily('WEBSITE_CLICKS', '6', '1'),
          daily('CALL_CLICKS', undefined, '2'),
        ],
      },
    ],
  }));
  const statistics = await place.reading.readAccount(place.call, {
    start: '2026-11-16',
    end: '2026-11-17',
    period: 'day',
    metrics: ['CALL_CLICKS', 'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH'],
  });
  expect(statistics).toMatchObject({ impressions: 15, websiteClicks: 7, followers: null, profileViews: null, unavailable: [] });
  expect(statistics.series).toEqual([
    {
      name: 'CALL_CLICKS',
      period: 'day',
      values: [
        { endTime: new Date('2026-11-17T08:00:00Z'), value: 0 },
        { endTime: new Date('2026-11-18T08:00:00Z'), value: 2 },
      ],
    },
    {
      name: 'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
      period: 'day',
      values: [
        { endTime: new Date('2026-11-17T08:00:00Z'), value: 3 },
        { endTime: new Date('2026-11-18T08:00:00Z'), value: null },
      ],
    },
  ]);
  const [request = ''] = place.requests();
  // A location goes without its account here.
  expect(request).toMatch(/^GET \/v1\/locations\/2:fetchMultiDailyMetricsTimeSeries\?/);
  expect(request).toContain('dailyRange.startDate.year=2026&dailyRange.startDate.month=11&dailyRange.startDate.day=16');
});

const post = {
  name: `${LOCATION}/localPosts/7`,
  ...{ summary: 'Open', createTime: '2026-11-10T00:00:00Z', topicType: 'STANDARD', searchUrl: 'https://local.google.com/7' },
  media: [{ mediaFormat: 'PHOTO', googleUrl: 'https://lh3.example/7.jpg' }],
};

test('posts are listed without statistics, which Google no longer provides', async () => {
  await reads(() => ({ localPosts: [post], nextPageToken: 'more' }));
  const listed = await place.reading.listPosts(place.call, { pageSize: 10 });
  expect(listed).toMatchObject({ next: 'more', totalCount: null, unavailable: 'Google no longer provides statistics for single posts.' });
  expect(listed.posts).toMatchObject([
    { publishId: post.name, caption: 'Open', mediaType: 'image', permalinkUrl: post.searchUrl, stats: { likes: null, views: null } },
  ]);
});

test('a post is read by its name; posts of other locations are not', async () => {
  await reads((path) =>
    path.endsWith('/7') ? post : new Rejection(404, { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } }),
  );
  const names = [post.name, `${LOCATION}/localPosts/8`, 'accounts/9/locations/9/localPosts/1'];
  expect((await place.reading.readPosts(place.call, names)).map(({ publishId }) => publishId)).toEqual([post.name]);
  expect(place.requests()).toHaveLength(2);
});
