import fc from 'fast-check';
import { AGES, ageAfter, ageDue, plannedAt } from './ages.ts';

const published = new Date('2026-11-01T00:00:00Z');

test('missed ages are skipped, and no age is taken twice', () => {
  expect(ageDue(1, 1.05)).toBe(1);
  expect(ageDue(1, 30)).toBe(24);
  expect(ageDue(72, 5_000)).toBe(2_160);
  expect(ageAfter(24)).toBe(72);
  expect(ageAfter(2_160)).toBeUndefined();
});

test('a snapshot is scheduled a little after its age, never earlier, and before the next age', () => {
  fc.assert(
    fc.property(fc.constantFrom(...AGES), fc.double({ min: 0, max: 1, noNaN: true }), (age, position) => {
      const hours = (plannedAt(published, age, position).getTime() - published.getTime()) / 3_600_000;
      expect(hours).toBeGreaterThanOrEqual(age - 1e-6);
      expect(hours).toBeLessThanOrEqual(age + Math.min(6, age / 10) + 1e-6);
      expect(hours).toBeLessThan(ageAfter(age) ?? Infinity);
    }),
  );
});
