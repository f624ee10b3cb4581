import type { Call } from '../connector.ts';
import { requiredAt } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { type Insight, readInsights } from '../graph/insights.ts';
import { daysAfter, daysIn } from '../reading/day-range.ts';
import { countAt, sumOfKnown, UNKNOWN_AUDIENCE, UNKNOWN_TOTALS } from '../reading/statistics.ts';
import { notProvided } from '../reading/read-metrics.ts';
import { readPartly } from '../reading/read-partly.ts';
import { type PartsRead, readParts } from '../reading/read-parts.ts';
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
  requiredAt(page, 'id');
  const { read, reasons } = readPartly('Facebook');
  const dailyNames = [...new Set([VIEWS, PROFILE_VIEWS, ...inPeriod(wanted, 'day')])];
  const daily = await read(readRange(call, { ...wanted, period: 'day' }, dailyNames), NOTHING);
  const series = wanted.period === 'day' ? daily : await read(readRange(call, wanted, wanted.metrics), NOTHING);
  const likes = countAt(page, 'fan_count');
  const isTooSmall = likes !== null && likes < MIN_LIKES && daily.found.size === 0;
  // What is missing for a part of the range has days, but no total.
  const totals = new Map(
    [...daily.found].flatMap(([name, parts]) =>
      daily.missing.has(name) || isUnique(name) ? [] : [[name, totalOf(name, parts.flat())] as const],
    ),
  );
  return {
    ...UNKNOWN_TOTALS,
    followers: countAt(page, 'followers_count'),
    impressions: totals.get(VIEWS) ?? null,
    reach: await read(readReach(call, wanted), null),
    profileViews: totals.get(PROFILE_VIEWS) ?? null,
    audience: UNKNOWN_AUDIENCE,
    series: wanted.metrics.flatMap((name): Series[] => {
      const values = series.found.get(name)?.flat();
      return values === undefined ? [] : [{ name, period: wanted.period, values }];
    }),
    rawMetrics: Object.fromEntries(totals),
    unavailable: [
      ...reasons,
      ...notProvided('Facebook', new Map([...daily.missing, ...series.missing])),
      ...(isTooSmall ? [`Facebook provides insights only for pages with at least ${MIN_LIKES} likes.`] : []),
    ],
  } satisfies AccountStatistics;
};

const NOTHING: PartsRead<Series['values']> = { found: new Map(), missing: new Map() };

/** A person may be counted on several days. */
const isUnique = (name: string): boolean => name.endsWith('_unique');

/** Of a number that stands at the end of each day the last one, of the others the sum. */
const totalOf = (name: string, values: Series['values']): number | null =>
  name === FOLLOWS ? (values.findLast(({ value }) => value !== null)?.value ?? null) : sumOfKnown(values.map(({ value }) => value));

const inPeriod = ({ period, metrics }: AccountWanted, wanted: Period) => (period === wanted ? metrics : []);

/** The values of metrics in a range, by the part in which they were read. */
const readRange = (
  call: Call,
  range: DayRange & { readonly period: Period },
  names: readonly string[],
): Promise<PartsRead<Series['values']>> =>
  readParts(range, readingRules.daysPerCall, names, async (part, requested) => {
    const query = { period: range.period, ...bounds(part) };
    const { found, rejected } = await readInsights(call, `/${call.account.accountId}`, requested, query);
    return { found: new Map([...found].map(([name, insight]) => [name, dated(insight)])), rejected };
  });

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
