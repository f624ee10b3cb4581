import { isPromised } from './promised-quota.ts';

const quota = { limit: 3, windowMs: 1_000 };
const at = new Date(10_000);
const times = (...ms: number[]) => ms.map((one) => new Date(at.getTime() + one));

test.each<[string, number[], boolean]>([
  ['no other post', [], false],
  ['fewer than the limit', [-1, 1], false],
  ['the limit, before it', [-3, -2, -1], true],
  ['the limit, after it', [1, 2, 3], true],
  ['the limit, around it', [-400, 0, 599], true],
  ['the limit, but not within a window with it', [-500, 0, 500], false],
  ['the limit, of which one is a window away', [-1_000, -1, 0], false],
  ['the limit at the same time', [0, 0, 0], true],
  ['many, in no window with it', [-1_003, -1_002, -1_001, 1_000, 1_001, 1_002], false],
  ['many in no order', [980, -990, 10, -20], false],
  ['many in no order, of which some are close', [980, -990, 10, -20, 30], true],
])('with %s', (_what, others, expected) => {
  expect(isPromised(times(...others), at, quota)).toBe(expected);
});
