import { emptyCounts, tightest, windowsOf, type Window } from './windows.ts';

const limits = { perMinute: 100, perDay: 2_000, perWeek: 10_000 };
const resets = (now: string) => windowsOf(emptyCounts(new Date(now)), limits).map(({ resetAt }) => resetAt.toISOString());

test.each([
  ['2026-08-09T23:59:59.999Z', ['2026-08-10T00:00:00.000Z', '2026-08-10T00:00:00.000Z', '2026-08-10T00:00:00.000Z']],
  ['2026-08-10T00:00:00.000Z', ['2026-08-10T00:01:00.000Z', '2026-08-11T00:00:00.000Z', '2026-08-17T00:00:00.000Z']],
  // The last week of a year that has 53 of them.
  ['2027-01-01T12:30:30.000Z', ['2027-01-01T12:31:00.000Z', '2027-01-02T00:00:00.000Z', '2027-01-04T00:00:00.000Z']],
])('windows at %s end with the minute, the day and Sunday', (now, expected) => {
  expect(resets(now)).toEqual(expected);
});

test('the window with the fewest requests left is described, of several the one that takes longest to reset', () => {
  const window = (name: Window['name'], remaining: number, resetAt: number): Window => ({
    name,
    limit: 10,
    used: 10 - remaining,
    remaining,
    resetAt: new Date(resetAt),
  });
  expect(tightest([window('minute', 3, 1), window('day', 2, 2), window('week', 9, 3)])?.name).toBe('day');
  expect(tightest([window('minute', 0, 1), window('day', 0, 2), window('week', 9, 3)])?.name).toBe('day');
});
