import { AccountStats } from '@fanfare/contracts/analytics';
import { accountStatsFromProto } from '@fanfare/resources';
import { accountStatsTable } from './account-stats.ts';

const fetchedAt = new Date('2026-11-24T10:00:00Z');
const now = fetchedAt.toISOString();

it('has current values, shares and reasons as a table, even without time series', () => {
  const stats = AccountStats.fromPartial({
    fetchedAt,
    end: '2026-11-24',
    followers: 9,
    audienceAge: { '18-24': 0.4 },
    rawMetrics: [{ name: 'likes_count', value: 30 }],
    unavailableReason: 'Only current values.',
  });
  const table = accountStatsTable(accountStatsFromProto(stats));
  expect(table).toEqual([
    ['metric', 'period', 'end_time', 'value'],
    ['followers', 'lifetime', now, 9],
    ['following', 'lifetime', now, null],
    ['posts_count', 'lifetime', now, null],
    ...['impressions', 'reach', 'profile_views', 'website_clicks'].map((name) => [name, 'range', '2026-11-24', null]),
    ['audience_age_pct.18-24', 'lifetime', now, 0.4],
    ['raw_metrics.likes_count', 'range', '2026-11-24', 30],
    ['unavailable_reason', 'lifetime', now, 'Only current values.'],
  ]);
});

it('has a row for each value of a metric', () => {
  const stats = AccountStats.fromPartial({
    fetchedAt,
    metrics: [{ name: 'reach', period: 'day', values: [{ endTime: fetchedAt, value: 3 }] }],
  });
  expect(accountStatsTable(accountStatsFromProto(stats)).at(-1)).toEqual(['reach', 'day', now, 3]);
});
