import fc from 'fast-check';
import { place } from './geometry.ts';

test.each([
  ['within the bounds', { width: 1200, height: 800 }, {}, { scaled: [1200, 800], canvas: [1200, 800] }],
  ['smaller, in proportion', { width: 4000, height: 3000 }, { max_width: 1440 }, { scaled: [1440, 1080], canvas: [1440, 1080] }],
  [
    'the tighter bound applies',
    { width: 4000, height: 3000 },
    { max_width: 1440, max_height: 540 },
    { scaled: [720, 540], canvas: [720, 540] },
  ],
  ['larger', { width: 160, height: 100 }, { min_width: 320 }, { scaled: [320, 200], canvas: [320, 200] }],
  ['too narrow', { width: 900, height: 1600 }, { min_ratio: 0.8 }, { scaled: [900, 1600], canvas: [1280, 1600] }],
  ['too wide', { width: 3000, height: 1000 }, { max_ratio: 1.91 }, { scaled: [3000, 1000], canvas: [3000, 1571] }],
  [
    'padded, then smaller',
    { width: 900, height: 1600 },
    { min_ratio: 0.8, max_width: 1080 },
    { scaled: [759, 1350], canvas: [1080, 1350] },
  ],
] as const)('%s', (_what, source, bounds, { scaled, canvas }) => {
  const placed = place(source, bounds);
  expect([placed?.scaled.width, placed?.scaled.height]).toEqual(scaled);
  expect([placed?.canvas.width, placed?.canvas.height]).toEqual(canvas);
});

test('contradictory bounds have no result', () => {
  expect(place({ width: 100, height: 5000 }, { min_width: 320, max_height: 1000 })).toBeUndefined();
});

test('every bound is kept, and the image keeps its proportions', () => {
  const side = fc.integer({ min: 16, max: 6000 });
  const optional = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: undefined });
  const bounds = fc.record({
    max_width: optional(fc.integer({ min: 400, max: 3000 })),
    max_height: optional(fc.integer({ min: 400, max: 3000 })),
    min_width: optional(fc.integer({ min: 2, max: 399 })),
    min_ratio: optional(fc.double({ min: 0.3, max: 0.9, noNaN: true })),
    max_ratio: optional(fc.double({ min: 1, max: 2.5, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.record({ width: side, height: side }), bounds, fc.constantFrom(1, 2), (source, all, step) => {
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const placed = place(source, given, step);
      if (!placed) return fc.pre(false);
      const { scaled, canvas } = placed;
      const { max_width = Infinity, max_height = Infinity, min_width = 0, min_ratio = 0, max_ratio = Infinity } = all;
      expect(canvas.width).toBeLessThanOrEqual(max_width);
      expect(canvas.height).toBeLessThanOrEqual(max_height);
      expect(canvas.width).toBeGreaterThanOrEqual(min_width);
      expect([canvas.width % step, canvas.height % step, scaled.width % step, scaled.height % step]).toEqual([0, 0, 0, 0]);
      expect(scaled.width <= canvas.width && scaled.height <= canvas.height).toBe(true);
      // Rounding may cost a step in each direction.
      expect((canvas.width + step) / (canvas.height - step)).toBeGreaterThanOrEqual(min_ratio);
      expect((canvas.width - step) / (canvas.height + step)).toBeLessThanOrEqual(max_ratio);
      const scale = Math.max(scaled.width / source.width, scaled.height / source.height);
      if (scaled.width > step)
        expect(Math.abs(scaled.width - source.width * scale)).toBeLessThanOrEqual(step * Math.max(1, source.width / source.height) + 1);
    }),
    { numRuns: 2_000 },
  );
});
