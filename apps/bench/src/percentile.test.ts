import { percentile } from './percentile.ts';

test('is the nearest rank, whatever the order', () => {
  const values = [15, 50, 20, 40, 35];
  expect(percentile(values, 50)).toBe(35);
  expect(percentile(values, 95)).toBe(50);
  expect(percentile(values, 0)).toBe(15);
  expect(percentile([7], 95)).toBe(7);
});

test('rejects an empty list', () => {
  expect(() => percentile([], 50)).toThrow(RangeError);
});
