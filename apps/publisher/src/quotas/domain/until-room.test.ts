import { untilRoom } from './until-room.ts';

const HOUR_MS = 3_600_000;
const spent = [
  { amount: 1, ageMs: HOUR_MS },
  { amount: 1, ageMs: 20 * HOUR_MS },
  { amount: 2, ageMs: 23 * HOUR_MS },
];

test.each([
  [1, 1],
  [2, 1],
  [3, 4],
  [4, 23],
])('%i are available again in %i hours', (missing, hours) => {
  expect(untilRoom(spent, missing, 24 * HOUR_MS)).toBe(hours * HOUR_MS);
});

test('when other apps used the quota, the time at which it becomes available is unknown', () => {
  expect(untilRoom(spent, 5, 24 * HOUR_MS)).toBeUndefined();
});
