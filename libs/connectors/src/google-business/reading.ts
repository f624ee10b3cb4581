import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { dayIn, daysAfter, endOfDay } from '../reading/day-range.ts';
import { idsLike } from '../reading/ids.ts';
import { countAt, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { namedIn, notProvided, readMetrics, type Suspects } from '../reading/read-metrics.ts';
import { readParts } from '../reading/read-parts.ts';
import { requiredList } from '../reading/required.ts';
import { createdWithin } from '../reading/created-within.ts';
import type { DayRange, PlatformPost, ReadCall, Reading, Series } from '../reading/reading.ts';
import { rules } from './errors.ts';
import { PERFORMANCE_URL, POSTS_URL } from './limits.ts';
import { DAYS, readingRules } from './reading-rules.ts';

const IMPRESSIONS = [
  'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
  'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
  'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
  'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
];
const NO_POST_STATISTICS = 'Google no longer provides statistics for single posts.';

export const reading: Reading = {
  rules: readingRules,

  async readAccount(call, wanted) {
    const names = [...new Set([...wanted.metrics, ...IMPRESSIONS, 'WEBSITE_CLICKS'])];
    const { found, missing } = await readParts(wanted, DAYS, names, (part, requested) =>
      readMetrics(requested, (some) => readDays(call, part, some), suspectMetrics),
    );
    const values = new Map([...found].map(([name, parts]) => [name, parts.flat()]));
    const total = (name: string) => (missing.has(name) ? null : sumOfKnown((values.get(name) ?? []).map(({ value }) => value)));
    return {
      ...UNKNOWN_TOTALS,
      impressions: sumOfKnown(IMPRESSIONS.map(total)),
      websiteClicks: total('WEBSITE_CLICKS'),
      audience: UNKNOWN_AUDIENCE,
      series: wanted.metrics.flatMap((name): Series[] => {
        const days = values.get(name);
        return days === undefined ? [] : [{ name, period: 'day', values: days }];
      }),
      rawMetrics: Object.fromEntries([...values.keys()].flatMap((name) => (missing.has(name) ? [] : [[name, total(name)]]))),
      unavailable: notProvided('Google', missing),
    };
  },

  async listPosts(call, { from, until, pageSize, cursor }) {
    const url = `${POSTS_URL}/${call.account.accountId}/localPosts`;
    const page = await googleCall(call, { method: 'GET', url, query: { pageSize, pageToken: cursor } }, rules);
    const found = listAt(page, 'localPosts').flatMap(toPost);
    const posts = found.filter(createdWithin({ from, until }));
    const next = stringAt(page, 'nextPageToken');
    return { posts, totalCount: null, unavailable: NO_POST_STATISTICS, ...(next !== undefined && { next }) };
  },

  async readPosts(call, publishIds) {
    const posts: PlatformPost[] = [];
    for (const publishId of idsLike(/^accounts\/\w+\/locations\/\w+\/localPosts\/[\w-]+$/, publishIds)) {
      if (!publishId.startsWith(`${call.account.accountId}/`)) continue;
      const post = await unlessMissing(googleCall(call, { method: 'GET', url: `${POSTS_URL}/${publishId}` }, rules));
      if (post === undefined) continue;
      requiredAt(post, 'name');
      posts.push(...toPost(post));
    }
    return posts;
  },
};

const unlessMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    // A 404 of a proxy does not mean that the post does not exist.
    if (error instanceof PlatformFailure && error.class !== 'transient' && error.detail['status'] === 404) return undefined;
    throw error;
  });

/** "Invalid value at 'daily_metrics' (…), \"…\"" */
const suspectMetrics: Suspects = ({ message }, names) => (/daily_?metrics/i.test(message) ? namedIn(message, names) : []);

async function readDays(call: ReadCall, range: DayRange, names: readonly string[]): Promise<ReadonlyMap<string, Series['values']>> {
  // A location is named without its account here.
  const location = call.account.accountId.replace(/^accounts\/[^/]+\//, '');
  const query = { ...dateFields('dailyRange.startDate', range.start), ...dateFields('dailyRange.endDate', range.end) };
  const url = `${PERFORMANCE_URL}/${location}:fetchMultiDailyMetricsTimeSeries?${names.map((name) => `dailyMetrics=${name}`).join('&')}`;
  const response = await googleCall(call, { method: 'GET', url, query }, rules);
  const settled = daysAfter(call.today, -readingRules.settledDays);
  return new Map(
    requiredList(response, 'multiDailyMetricTimeSeries')
      .flatMap((multi) => listAt(multi, 'dailyMetricTimeSeries'))
      .flatMap((one) => {
        const name = stringAt(one, 'dailyMetric');
        return name === undefined
          ? []
          : [[name, listAt(one, 'timeSeries', 'datedValues').flatMap((dated) => toDay(dated, settled))] as const];
      }),
  );
}

/** Google omits zeros: a day without a value is zero if its statistics are complete, and unknown before that. */
function toDay(dated: unknown, settled: string): Series['values'][number][] {
  const [year, month, day] = [countAt(dated, 'date', 'year'), countAt(dated, 'date', 'month'), countAt(dated, 'date', 'day')];
  if (year === null || month === null || day === null) return [];
  const date = dayIn([year, month, day].map((part) => String(part).padStart(2, '0')).join('-'));
  if (date === undefined) return [];
  const isZero = at(dated, 'value') === undefined && date <= settled;
  return [{ endTime: endOfDay(date, readingRules.timeZone), value: isZero ? 0 : countAt(dated, 'value') }];
}

function dateFields(name: string, day: string): Record<string, number> {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  return { [`${name}.year`]: year, [`${name}.month`]: month, [`${name}.day`]: dayOfMonth };
}

function toPost(post: unknown): PlatformPost[] {
  const publishId = stringAt(post, 'name');
  if (publishId === undefined) return [];
  const created = new Date(stringAt(post, 'createTime') ?? NaN);
  const media = listAt(post, 'media');
  const urls = media.flatMap((one) => webUrl(stringAt(one, 'googleUrl')) ?? []);
  return [
    {
      publishId,
      createdAt: Number.isNaN(created.getTime()) ? null : created,
      caption: stringAt(post, 'summary') ?? '',
      title: stringAt(post, 'event', 'title') ?? '',
      permalinkUrl: webUrl(stringAt(post, 'searchUrl')) ?? '',
      thumbnailUrl: urls[0] ?? '',
      mediaUrls: urls,
      altText: '',
      mediaType: media.length === 0 ? 'text' : stringAt(media[0], 'mediaFormat') === 'VIDEO' ? 'video' : 'image',
      type: stringAt(post, 'topicType') ?? '',
      stats: UNKNOWN_STATISTICS,
      unavailable: NO_POST_STATISTICS,
    },
  ];
}
