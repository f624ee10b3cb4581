import type { QueueSlot } from '@fanfare/contracts/content/queues';
import fc from 'fast-check';
import { whenShownOrLater } from '../series/time-zone.ts';
import { DAYS, minutesOf, slotTimes } from './slot-times.ts';

const daily = (...times: string[]): QueueSlot[] => times.map((time) => ({ days: [...DAYS], time }));
const from = (slots: readonly QueueSlot[], timezone: string, after: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    slotTimes(slots, timezone)
      .nth(new Date(after), index + 1)
      .toISOString()
      .replace(':00.000Z', 'Z'),
  );

test.each([
  // Clocks go from 02:00 to 03:00 on March 31, and from 03:00 to 02:00 on October 27.
  ['Europe/Berlin', ['02:30'], '2030-03-30T00:00Z', ['2030-03-30T01:30Z', '2030-03-31T01:30Z', '2030-04-01T00:30Z']],
  ['Europe/Berlin', ['02:30', '03:30'], '2030-03-30T12:00Z', ['2030-03-31T01:30Z', '2030-04-01T00:30Z', '2030-04-01T01:30Z']],
  ['Europe/Berlin', ['02:45', '03:15'], '2030-03-30T12:00Z', ['2030-03-31T01:15Z', '2030-03-31T01:45Z', '2030-04-01T00:45Z']],
  ['Europe/Berlin', ['02:30'], '2030-10-26T12:00Z', ['2030-10-27T00:30Z', '2030-10-28T01:30Z']],
  ['Europe/Berlin', ['02:30'], '2030-10-27T00:30Z', ['2030-10-28T01:30Z']],
  // March 10 and November 3.
  ['America/New_York', ['02:30'], '2030-03-09T12:00Z', ['2030-03-10T07:30Z', '2030-03-11T06:30Z']],
  ['America/New_York', ['01:30'], '2030-11-02T12:00Z', ['2030-11-03T05:30Z', '2030-11-04T06:30Z']],
  // By half an hour: from 02:00 to 02:30 on October 6, and from 02:00 to 01:30 on April 7.
  ['Australia/Lord_Howe', ['02:15'], '2030-10-05T00:00Z', ['2030-10-05T15:45Z', '2030-10-06T15:15Z']],
  ['Australia/Lord_Howe', ['02:15', '02:45'], '2030-10-05T00:00Z', ['2030-10-05T15:45Z', '2030-10-06T15:15Z', '2030-10-06T15:45Z']],
  ['Australia/Lord_Howe', ['01:45'], '2030-04-06T00:00Z', ['2030-04-06T14:45Z', '2030-04-07T15:15Z']],
])('%s at %j after %s', (timezone, times, after, expected) => {
  expect(from(daily(...times), timezone, after, expected.length)).toEqual(expected);
});

test('days of the week are those of the local calendar', () => {
  expect(from([{ days: ['mon', 'fri'], time: '00:15' }], 'Pacific/Auckland', '2030-06-09T00:00Z', 3)).toEqual([
    '2030-06-09T12:15Z',
    '2030-06-13T12:15Z',
    '2030-06-16T12:15Z',
  ]);
});

test('the hundred thousandth slot is found as the first one is', () => {
  const weekly = slotTimes([{ days: ['wed'], time: '09:00' }], 'UTC');
  const first = weekly.nth(new Date('2030-01-01T00:00Z'), 1).getTime();
  expect((weekly.nth(new Date('2030-01-01T00:00Z'), 5_001).getTime() - first) / (7 * 86_400_000)).toBe(5_000);
});

/** All slots from a moment on, one by one. */
function slotsAfter(slots: readonly QueueSlot[], timezone: string, after: Date, weeks: number): number[] {
  const all = new Set<number>();
  const first = Math.floor(after.getTime() / 86_400_000) - 3;
  for (let day = first; day < first + weeks * 7 + 6; day++) {
    const name = DAYS[(day + 3) % 7] ?? '';
    for (const { days, time } of slots) {
      if (days.includes(name)) all.add(whenShownOrLater(new Date(day * 86_400_000 + minutesOf(time) * 60_000), timezone).getTime());
    }
  }
  return [...all].filter((at) => at > after.getTime()).sort((a, b) => a - b);
}

const minute = fc.integer({ min: 0, max: 24 * 12 - 1 }).map((five) => five * 5);
const aTime = fc
  .oneof(
    minute,
    fc.integer({ min: 8, max: 16 }).map((quarter) => quarter * 15),
  )
  .map((at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`);
const someSlots = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...DAYS), aTime), { minLength: 1, maxLength: 20, selector: String })
  .map((given) => given.map(([day, time]) => ({ days: [day], time })));
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Nuuk', 'Africa/Casablanca', 'Asia/Kathmandu'];

test('the n-th slot is the n-th of all slots, each moment once', () => {
  fc.assert(
    fc.property(
      someSlots,
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2030-01-01T00:00Z'), max: new Date('2031-12-31T00:00Z'), noInvalidDate: true }),
      fc.integer({ min: 1, max: 60 }),
      (slots, timezone, after, n) => {
        const expected = slotsAfter(slots, timezone, after, n + 1)[n - 1] ?? Number.NaN;
        expect(slotTimes(slots, timezone).nth(after, n).toISOString()).toBe(new Date(expected).toISOString());
      },
    ),
    { numRuns: 60 },
  );
});
