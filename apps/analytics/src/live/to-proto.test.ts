import { UNKNOWN_AUDIENCE, UNKNOWN_TOTALS } from '@fanfare/connectors';
import { accountStatsFrom } from './to-proto.ts';

const reasonOf = (...unavailable: string[]) =>
  accountStatsFrom(
    { ...UNKNOWN_TOTALS, audience: UNKNOWN_AUDIENCE, series: [], rawMetrics: {}, unavailable },
    { platform: 'x', accountId: '1', timeZone: 'UTC', fetchedAt: new Date(0) },
    { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: [] },
  ).unavailableReason;

test('reasons become sentences, without repetition', () => {
  expect(reasonOf()).toBe('');
  expect(reasonOf('No views: (#100) too old', 'Too few followers.', 'No views: (#100) too old')).toBe(
    'No views: (#100) too old. Too few followers.',
  );
});
