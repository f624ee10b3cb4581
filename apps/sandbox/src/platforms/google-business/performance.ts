import { json, type Reply } from '../../wire/reply.ts';
import { dayCountsOf, daysBetween, splitAmong } from '../../world/statistics.ts';
import type { Account, World } from '../../world/world.ts';
import { invalidArgument } from '../google/errors.ts';
import type { GoogleCall } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { businessOperation, locationByNumber } from './business-operation.ts';
import { dailyRangeOf, rangeParameters, valuesOf } from './daily-range.ts';
import { hosts, limits } from './limits.ts';

const DAY_MS = 24 * 3600_000;
const surfaces = [
  'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
  'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
  'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
  'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
];
const actions = ['BUSINESS_DIRECTION_REQUESTS', 'CALL_CLICKS', 'BUSINESS_BOOKINGS', 'BUSINESS_FOOD_MENU_CLICKS'];
/** Still accepted, but no longer counted. */
const retired = ['BUSINESS_CONVERSATIONS', 'BUSINESS_FOOD_ORDERS'];
const metrics = [...surfaces, ...actions, 'WEBSITE_CLICKS', ...retired];

export const performanceOperations: Operation[] = [
  businessOperation({
    name: 'google_business.daily_metrics',
    hosts: [hosts.performance],
    method: 'GET',
    path: '/v1/locations/{location}:fetchMultiDailyMetricsTimeSeries',
    query: ['dailyMetrics', 'daily_metrics', ...rangeParameters],
    handle: dailyMetrics,
  }),
];

/** One series for each metric, with the days of the range that Google keeps. */
function dailyMetrics(call: GoogleCall, { world }: Sandbox): Reply {
  const requested = metricsIn(call);
  const { start, end } = dailyRangeOf(call);
  const location = locationByNumber(call, world);
  const kept = world.now() - limits.keptDays * DAY_MS;
  const days = daysBetween(world, Math.max(Date.parse(start), kept), Date.parse(end) + DAY_MS);
  const counted = days.map((day) => (isCounted(world, day) ? countsOf(world, location, day) : {}));
  const dailyMetricTimeSeries = requested.map((dailyMetric) => ({
    dailyMetric,
    timeSeries: { datedValues: days.map((day, at) => datedValue(day, counted[at]![dailyMetric])) },
  }));
  return json(200, { multiDailyMetricTimeSeries: [{ dailyMetricTimeSeries }] });
}

function metricsIn(call: GoogleCall): string[] {
  const field = 'daily_metrics';
  const requested = valuesOf(call, field);
  if (requested.length === 0) throw invalidArgument([{ field, description: 'At least one daily metric is required.' }]);
  const unknown = requested.filter((name) => !metrics.includes(name));
  if (unknown.length === 0) return [...new Set(requested)];
  throw invalidArgument(
    unknown.map((name) => ({
      field,
      description: `Invalid value at 'daily_metrics' (type.googleapis.com/google.mybusiness.businessprofileperformance.v1.DailyMetric), "${name}"`,
    })),
  );
}

/** Google has the metrics of a day some days later. */
const isCounted = (world: World, day: string) => Math.floor((world.now() - Date.parse(day)) / DAY_MS) >= limits.delayDays;

function countsOf(world: World, location: Account, day: string): Record<string, number> {
  const { impressions, clicks, website_clicks } = dayCountsOf(world, location, day);
  const split = (total: number, names: readonly string[]) =>
    splitAmong(total, names, location.id, day).map(({ bucket, count }) => [bucket, count] as const);
  return { ...Object.fromEntries([...split(impressions, surfaces), ...split(clicks, actions)]), WEBSITE_CLICKS: website_clicks };
}

/** Google omits zeros. */
function datedValue(day: string, value = 0): Record<string, unknown> {
  const [year, month, dayOfMonth] = day.split('-').map(Number);
  return { date: { year, month, day: dayOfMonth }, ...(value > 0 && { value: String(value) }) };
}
