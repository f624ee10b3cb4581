import { nextTime, parseRepeatingCron } from './repeating-cron.ts';

const now = new Date('2026-01-01T09:00:00Z'); // A Thursday.
const next = (cron: string) => nextTime(parseRepeatingCron(cron, now), now)?.toISOString();

test.each([
  ['0 9 * * *', '2026-01-02T09:00:00.000Z'],
  ['* * * * *', '2026-01-01T09:01:00.000Z'],
  ['*/15 * * * *', '2026-01-01T09:15:00.000Z'],
  ['0-30/20 10,12 * * *', '2026-01-01T10:00:00.000Z'],
  ['0 9 * * MON-FRI', '2026-01-02T09:00:00.000Z'],
  ['0 9 * jan sun', '2026-01-04T09:00:00.000Z'],
  ['0 9 * * 7', '2026-01-04T09:00:00.000Z'],
  ['0 9 * * 0', '2026-01-04T09:00:00.000Z'],
  ['0 9 15 * 1', '2026-01-05T09:00:00.000Z'],
  ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
  ['  0   9 *\t* * ', '2026-01-02T09:00:00.000Z'],
])('%j comes true next, strictly after now and in UTC, at %s', (cron, at) => expect(next(cron)).toBe(at));

test.each([
  '',
  '0 9 * *',
  '0 9 * * * *',
  '0 0 9 * * * 2027',
  '@daily',
  '60 * * * *',
  '0 24 * * *',
  '0 9 0 * *',
  '0 9 32 * *',
  '0 9 * 13 *',
  '0 9 * * 8',
  '0 9 ? * *',
  '0 9 L * *',
  '0 9 15W * *',
  '0 9 * * 1#2',
  '0 9 * * 5L',
  '*/0 * * * *',
  '5-2 * * * *',
  '5/10 * * * *',
  ', * * * *',
  '0 MON * * *',
  '-1 * * * *',
  '1.5 * * * *',
  '0 9 * FOO *',
  '0 9 30 2 *',
  '0 9 31 4 *',
  'every day at nine o’clock',
])('%j is refused', (cron) => {
  expect(() => next(cron)).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'repeating_cron' }));
});
