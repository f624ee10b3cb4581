import type { Reads } from '../../../test/conversations/reads.ts';

const LOCATION = 'accounts/1/locations/2';
const values: Readonly<Record<string, readonly (string | undefined)[]>> = {
  BUSINESS_IMPRESSIONS_DESKTOP_MAPS: ['1', '2'],
  BUSINESS_IMPRESSIONS_DESKTOP_SEARCH: ['3', undefined],
  BUSINESS_IMPRESSIONS_MOBILE_MAPS: ['4', '0'],
  BUSINESS_IMPRESSIONS_MOBILE_SEARCH: ['5', '1'],
  WEBSITE_CLICKS: ['6', '1'],
  CALL_CLICKS: [undefined, '2'],
};
const dated = (value: string | undefined, index: number) => ({
  date: { year: 2026, month: 11, day: index + 1 },
  ...(value !== undefined && { value }),
});
const daily = Object.entries(values).map(([dailyMetric, days]) => ({ dailyMetric, timeSeries: { datedValues: days.map(dated) } }));
const post = (id: number, more: object) => ({
  ...{ name: `${LOCATION}/localPosts/${id}`, summary: 'Open', createTime: '2026-11-10T00:00:00Z', topicType: 'STANDARD', ...more },
  searchUrl: `https://local.google.com/${id}`,
});
const photo = post(7, { media: [{ mediaFormat: 'PHOTO', googleUrl: 'https://lh3.example/7.jpg' }] });
const event = post(8, { topicType: 'EVENT', event: { title: 'Open day' } });

export const reads: Reads = {
  accountId: LOCATION,
  account: { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: ['CALL_CLICKS', 'WEBSITE_CLICKS'] },
  posts: [photo.name, event.name],
  omitsZeros: true,
  respond(path) {
    if (path.endsWith(':fetchMultiDailyMetricsTimeSeries')) return { multiDailyMetricTimeSeries: [{ dailyMetricTimeSeries: daily }] };
    if (path.endsWith('/localPosts')) return { localPosts: [photo, event], nextPageToken: 'more' };
    return path.endsWith('/7') ? photo : event;
  },
};
