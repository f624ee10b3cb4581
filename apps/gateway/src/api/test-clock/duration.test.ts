import { durationInput, endOf } from './duration.ts';

const from = new Date('2026-01-31T12:00:00.000Z');
const end = (duration: string) => endOf(from, durationInput().parse(duration)).toISOString();

test.each([
  ['P1D', '2026-02-01T12:00:00.000Z'],
  ['P2W', '2026-02-14T12:00:00.000Z'],
  ['P1M', '2026-02-28T12:00:00.000Z'],
  ['P3M', '2026-04-30T12:00:00.000Z'],
  ['P1Y', '2027-01-31T12:00:00.000Z'],
  ['P1Y1M', '2027-02-28T12:00:00.000Z'],
  ['P2Y1M', '2028-02-29T12:00:00.000Z'],
  ['PT36H', '2026-02-02T00:00:00.000Z'],
  ['PT90M', '2026-01-31T13:30:00.000Z'],
  ['PT1.5S', '2026-01-31T12:00:01.500Z'],
  ['PT0,25S', '2026-01-31T12:00:00.250Z'],
  ['P1Y2M3DT4H5M6S', '2027-04-03T16:05:06.000Z'],
])('%s from January 31 is %s', (duration, expected) => expect(end(duration)).toBe(expected));

test.each(['', 'P', 'PT', 'P1', '1D', 'P1H', 'PT1D', '-P1D', 'P-1D', 'P1.5D', 'P1W1D', 'p1d', 'P1D ', 'one day', `P${'9'.repeat(64)}D`])(
  '%j is not a duration',
  (duration) => expect(durationInput().safeParse(duration).success).toBe(false),
);

test('a duration longer than time itself has no valid end', () => {
  expect(Number.isNaN(endOf(from, durationInput().parse('P999999999Y')).getTime())).toBe(true);
});
