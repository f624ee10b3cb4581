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
])('%j matches next at %s, strictly after now and in UTC', (cron, at) => expect(next(cron)).toBe(at));

/** The next `count` times after `from`. */
function times(cron: string, zone: string, from: string, count: number): string[] {
  const found: string[] = [];
  for (let at: Date | undefined = new Date(from); at && found.length < count;) {
    at = nextTime(cron, at, zone);
    if (at) found.push(at.toISOString().slice(5, 16));
  }
  return found;
}

test.each([
  // Clocks go from 2:00 to 3:00 on March 29, and from 3:00 to 2:00 on October 25.
  ['0 9 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', ['03-28T08:00', '03-29T07:00', '03-30T07:00']],
  ['0 9 * * *', 'Europe/Berlin', '2026-10-23T12:00Z', ['10-24T07:00', '10-25T08:00', '10-26T08:00']],
  ['30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
  ['*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['10-25T00:00', '10-25T00:30', '10-26T01:00']],
  ['*/30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['03-29T01:00', '03-30T00:00', '03-30T00:30']],
  ['0 0,2,4 * * *', 'Europe/Berlin', '2026-03-28T22:00Z', ['03-28T23:00', '03-29T01:00', '03-29T02:00']],
  ['0 */2 * * *', 'Europe/Berlin', '2026-10-24T21:00Z', ['10-24T22:00', '10-25T00:00', '10-25T03:00']],
  // From 2:00 to 3:00 on March 8, and from 2:00 to 1:00 on November 1.
  ['0 9 * * *', 'America/New_York', '2026-03-06T18:00Z', ['03-07T14:00', '03-08T13:00', '03-09T13:00']],
  ['0 9 * * *', 'America/New_York', '2026-10-30T18:00Z', ['10-31T13:00', '11-01T14:00', '11-02T14:00']],
  ['30 2 * * *', 'America/New_York', '2026-03-06T18:00Z', ['03-07T07:30', '03-08T07:00', '03-09T06:30']],
  ['30 1 * * *', 'America/New_York', '2026-10-30T18:00Z', ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
  ['0,30 1 * * *', 'America/New_York', '2026-10-31T18:00Z', ['11-01T05:00', '11-01T05:30', '11-02T06:00']],
  ['30 * * * *', 'America/New_York', '2026-11-01T05:00Z', ['11-01T05:30', '11-01T06:30', '11-01T07:30']],
  ['30 * * * *', 'America/New_York', '2026-03-08T06:00Z', ['03-08T06:30', '03-08T07:30', '03-08T08:30']],
  // By half an hour, from 2:00 to 1:30, on April 5.
  ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T20:00Z', ['04-04T14:45', '04-05T15:15', '04-06T15:15']],
  // There was no December 30: the country moved across the date line.
  ['0 9 * * *', 'Pacific/Apia', '2011-12-28T12:00Z', ['12-28T19:00', '12-29T19:00', '12-30T10:00', '12-30T19:00']],
  // After the first of two equal local times, and before the second.
  ['30 1 * * *', 'America/New_York', '2026-11-01T05:45Z', ['11-02T06:30']],
])('%j keeps its hour in %s, and matches once when clocks change', (cron, zone, from, expected) => {
  expect(times(cron, zone, from, expected.length)).toEqual(expected);
});

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
])('%j is rejected', (cron) => {
  expect(() => next(cron)).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'repeating_cron' }));
});
