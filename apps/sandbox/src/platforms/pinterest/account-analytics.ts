import { json, type Reply } from '../../wire/reply.ts';
import { dayCountsOf, daysBetween, sumOf, type DayCounts } from '../../world/statistics.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { daysIn, metricsIn, rejectParts, statusOf } from './analytics-range.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';

const wholes = {
  from_claimed_content: 'BOTH',
  pin_format: 'ALL',
  app_types: 'ALL',
  content_type: 'ALL',
  source: 'ALL',
  split_field: 'NO_SPLIT',
};

export const accountAnalyticsOperations: Operation[] = [
  pinterestOperation({
    name: 'pinterest.account_analytics',
    method: 'GET',
    path: '/v5/user_account/analytics',
    scopes: ['user_accounts:read'],
    rate: 'org_analytics',
    query: ['start_date', 'end_date', 'metric_types', ...Object.keys(wholes)],
    handle: accountAnalytics,
  }),
];

const counts = {
  ENGAGEMENT: 'engagements',
  IMPRESSION: 'impressions',
  OUTBOUND_CLICK: 'website_clicks',
  PIN_CLICK: 'clicks',
  SAVE: 'saves',
} as const satisfies Record<string, keyof DayCounts>;
const rates = {
  ENGAGEMENT_RATE: 'engagements',
  OUTBOUND_CLICK_RATE: 'website_clicks',
  PIN_CLICK_RATE: 'clicks',
  SAVE_RATE: 'saves',
} as const satisfies Record<string, keyof DayCounts>;
const names = [...Object.keys(counts), ...Object.keys(rates)];

function accountAnalytics(call: PinterestCall, { world }: Sandbox): Reply {
  const { start, end } = daysIn(call, world);
  rejectParts(call, wholes);
  const requested = call.query.has('metric_types') ? metricsIn(call, names) : names;
  const days = daysBetween(world, Date.parse(start), Date.parse(`${end}T23:59:59Z`));
  const numbers = days.map((day) => dayCountsOf(world, call.user, day));
  return json(200, {
    all: {
      daily_metrics: days.map((date, at) => ({
        data_status: statusOf(world, date),
        date,
        metrics: metricsOf([numbers[at]!], requested),
      })),
      summary_metrics: metricsOf(numbers, requested),
    },
  });
}

function metricsOf(days: readonly DayCounts[], requested: readonly string[]): Record<string, number> {
  const impressions = sumOf(days, 'impressions');
  const values: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) values[name] = sumOf(days, count);
  for (const [name, count] of Object.entries(rates)) values[name] = impressions === 0 ? 0 : sumOf(days, count) / impressions;
  return Object.fromEntries(requested.map((name) => [name, values[name]!]));
}
