import type { Call } from '../connector.ts';
import { graphCall } from '../graph/graph-call.ts';
import { type Insight, readInsights } from '../graph/insights.ts';
import { daysAfter, daysIn, splitDays } from '../reading/day-range.ts';
import { countAt, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { notProvided } from '../reading/read-metrics.ts';
import type { AccountStatistics, AccountWanted, DayRange, Period, Reading, Series } from '../reading/reading.ts';
import { readingRules } from './reading-rules.ts';

const MIN_LIKES = 100;
const VIEWS = 'page_media_view';
const VIEWERS = 'page_total_media_view_unique';
const PROFILE_VIEWS = 'page_views_total';
const FOLLOWS = 'page_follows';
/** The platform counts unique people only over ranges of these numbers of days. */
const PERIOD_OF_DAYS: Readonly<Record<number, Period>> = { 1: 'day', 7: 'week', 28: 'days_28' };

export const readAccount: Reading['readAccount'] = async (call, wanted) => {
  const page = await graphCall(call, {
    method: 'GET',
    path: `/${call.account.accountId}`,
    query: { fields: 'id,name,username,followers_count,fan_count,link' },
  });
  const daily = await readRange(call, { ...wanted, period: 'day' }, [...new Set([VIEWS, PROFILE_VIEWS, ...inPeriod(wanted, 'day')])]);
  const series = wanted.period === 'day' ? daily : await readRange(call, wanted, wanted.metrics);
  const rejected = new Map([...daily.rejected, ...series.rejected]);
  const likes = countAt(page, 'fan_count');
  const isTooSmall = likes !== null && likes < MIN_LIKES && daily.values.size === 0;
  // What is rejected of a part of the range has days, but no total.
  const totals = new Map(
    [...daily.values].flatMap(([name, values]) => (daily.rejected.has(name) || isUnique(name) ? [] : [[name, totalOf(name, values)]])),
  );
  return {
    ...UNKNOWN_TOTALS,
    followers: countAt(page, 'followers_count'),
    impressions: totals.get(VIEWS) ?? null,
    reach: await readReach(call, wanted),
    profileViews: totals.get(PROFILE_VIEWS) ?? null,
    audience: UNKNOWN_AUDIENCE,
    series: wanted.metrics.flatMap((name): Series[] => {
      const values = series.values.get(name);
      return values === undefined ? [] : [{ name, period: wanted.period, values }];
    }),
    rawMetrics: Object.fromEntries(totals),
    unavailable: [
      ...notProvided('Facebook', rejected),
      ...(isTooSmall ? [`Facebook provides insights only for pages with at least ${MIN_LIKES} likes.`] : []),
    ],
  } satisfies AccountStatistics;
};

/** A person may be counted on several days. */
const isUnique = (name: string): boolean => name.endsWith('_unique');

/** Of a number that stands at the end of each day the last one, of the others the sum. */
const totalOf = (name: string, values: Series['values']): number | null =>
  name === FOLLOWS ? (values.findLast(({ value }) => value !== null)?.value ?? null) : sumOfKnown(values.map(({ value }) => value));

const inPeriod = ({ period, metrics }: AccountWanted, wanted: Period) => (period === wanted ? metrics : []);

interface RangeRead {
  readonly values: ReadonlyMap<string, Series['values']>;
  readonly rejected: ReadonlyMap<string, string>;
}

/** Reads metrics of a range that may be longer than one call allows. */
async function readRange(call: Call, range: DayRange & { readonly period: Period }, names: readonly string[]): Promise<RangeRead> {
  const values = new Map<string, Series['values'][number][]>();
  const rejected = new Map<string, string>();
  for (const part of splitDays(range, readingRules.daysPerCall)) {
    const asked = names.filter((name) => !rejected.has(name));
    const read = await readInsights(call, `/${call.account.accountId}`, asked, { period: range.period, ...bounds(part) });
    for (const [name, why] of read.rejected) rejected.set(name, why);
    for (const [name, insight] of read.found) values.set(name, [...(values.get(name) ?? []), ...dated(insight)]);
  }
  return { values, rejected };
}

/** People who saw something in the range; only for a range over which Facebook adds them up, because a person may be counted on several days. */
async function readReach(call: Call, range: DayRange): Promise<number | null> {
  const period = PERIOD_OF_DAYS[daysIn(range)];
  if (period === undefined) return null;
  const last = { start: range.end, end: range.end };
  const { found } = await readInsights(call, `/${call.account.accountId}`, [VIEWERS], { period, ...bounds(last) });
  return found.get(VIEWERS)?.values.at(-1)?.value ?? null;
}

/** `until` is excluded. */
const bounds = ({ start, end }: DayRange) => ({ since: start, until: daysAfter(end, 1) });

const dated = ({ values }: Insight): Series['values'][number][] =>
  values.flatMap(({ endTime, value }) => (endTime === null ? [] : [{ endTime, value }]));
