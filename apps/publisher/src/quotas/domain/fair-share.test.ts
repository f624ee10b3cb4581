import fc from 'fast-check';
import { mayReserve, msUntilMayReserve, type Standing } from './fair-share.ts';

const DAY_MS = 24 * 3_600_000;
/** Reserves one unit after the other as long as it is allowed. */
function takeAll(standing: Standing, amount = 1): number {
  let taken = 0;
  while (mayReserve(amount, { ...standing, used: standing.used + taken, own: standing.own + taken })) taken += amount;
  return taken;
}
const untouched: Standing = { limit: 100, used: 0, own: 0, takers: 1, left: 1 };

test.each([
  ['at the start of the window', 1, 50],
  ['in the middle of it', 0.5, 75],
  ['at its end', 0, 100],
])('a single organization can use %s', (_when, left, taken) => {
  expect(takeAll({ ...untouched, left })).toBe(taken);
});

test('an organization that comes after another has used half gets its share, and the first one waits', () => {
  const others = takeAll(untouched);
  const later = { ...untouched, used: others, takers: 2 };
  expect(takeAll(later)).toBe(33);
  expect(mayReserve(1, { ...later, own: others })).toBe(false);
});

test('every organization gets something as long as anything is left', () => {
  let used = 0;
  const got = [1, 2, 3, 4].map((takers) => {
    const taken = takeAll({ ...untouched, used, takers });
    used += taken;
    return taken;
  });
  expect(got).toEqual([50, 33, 17, 0]);
});

test('an organization that can get nothing more today waits for tomorrow', () => {
  expect(msUntilMayReserve(1, { ...untouched, used: 100, own: 10, left: 0.25 }, DAY_MS)).toBe(DAY_MS / 4);
});

const limit = fc.integer({ min: 1, max: 100_000 });
const standing = limit.chain((limit) =>
  fc.record({
    limit: fc.constant(limit),
    used: fc.integer({ min: 0, max: limit }),
    own: fc.integer({ min: 0, max: limit }),
    takers: fc.integer({ min: 1, max: 50 }),
    left: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

test('nobody can reserve more than is left', () => {
  fc.assert(
    fc.property(standing, fc.integer({ min: 1, max: 500 }), (standing, amount) => {
      if (mayReserve(amount, standing)) expect(standing.used + amount).toBeLessThanOrEqual(standing.limit);
    }),
  );
});

test('the returned wait is long enough if nobody else reserves anything, and never longer than the window', () => {
  fc.assert(
    fc.property(standing, fc.integer({ min: 1, max: 500 }), (standing, amount) => {
      const waitMs = msUntilMayReserve(amount, standing, DAY_MS);
      expect(waitMs).toBeLessThanOrEqual(Math.ceil(standing.left * DAY_MS));
      const left = standing.left - waitMs / DAY_MS;
      if (standing.used + amount <= standing.limit) expect(mayReserve(amount, { ...standing, left: Math.max(0, left) })).toBe(true);
    }),
  );
});

test('the later it is in the window, the more one organization may use', () => {
  fc.assert(
    fc.property(standing, fc.double({ min: 0, max: 1, noNaN: true }), (standing, part) => {
      const later = { ...standing, left: standing.left * part };
      if (mayReserve(1, standing)) expect(mayReserve(1, later)).toBe(true);
    }),
  );
});
