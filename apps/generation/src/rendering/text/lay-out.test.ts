import fc from 'fast-check';
import { layOut, type Ink, type LayoutItem, type LayoutOptions } from './lay-out.ts';

/** Letters of different widths and heights, as in real fonts. Trailing spaces have no ink. */
const measure = (_item: number, text: string, size: number): Ink => {
  const width = [...text].reduce((sum, letter) => sum + (0.3 + ((letter.codePointAt(0) ?? 0) % 7) / 8) * size, 0);
  return { advance: width, left: 0.02 * size, right: width, ascent: 0.8 * size, descent: /[gjpqy]/.test(text) ? 0.25 * size : 0 };
};
/** Letters of the same width, so that a reader can count. */
const even = (_item: number, text: string, size: number): Ink => {
  const width = [...text].length * size * (/\p{Script=Hiragana}/u.test(text) ? 1 : 0.5);
  return { advance: width, left: 0, right: width, ascent: 0.8 * size, descent: 0.2 * size };
};
const item = (text: string, more: Partial<LayoutItem> = {}): LayoutItem => ({
  text,
  size: 100,
  lineHeight: 1.1,
  space: 10,
  padding: 0,
  ...more,
});
const options = (more: Partial<LayoutOptions> = {}): LayoutOptions => ({
  box: { width: 800, height: 400 },
  align: 'start',
  valign: 'top',
  language: 'en',
  isRightToLeft: false,
  readableSize: 28,
  ...more,
});
const linesOf = (text: string, more: Partial<LayoutOptions> = {}) =>
  layOut([item(text)], options(more), even)[0]?.lines.map((line) => line.text);

const aText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('bread', 'ขนมปังสดใหม่', '焼きたてのパン', 'مرحبا', 'Donaudampfschifffahrtsgesellschaft', '👩‍🍳', '\n'), {
      maxLength: 40,
    })
    .map((words) => words.join(' ')),
);

test('no line leaves the box, and no two lines touch, for any texts in any box', () => {
  fc.assert(
    fc.property(
      fc.array(aText, { minLength: 1, maxLength: 4 }),
      fc.record({ width: fc.integer({ min: 60, max: 1900 }), height: fc.integer({ min: 60, max: 1900 }) }),
      fc.constantFrom('start' as const, 'center' as const, 'end' as const),
      fc.constantFrom('top' as const, 'middle' as const, 'bottom' as const),
      fc.boolean(),
      (texts, box, align, valign, isRightToLeft) => {
        const laid = layOut(
          texts.map((text, index) => item(text, { padding: index * 3 })),
          options({ box, align, valign, isRightToLeft }),
          measure,
        );
        let above = 0;
        for (const { lines } of laid)
          for (const { x, baseline, ink } of lines) {
            expect(x - ink.left).toBeGreaterThanOrEqual(-0.1);
            expect(x + Math.max(ink.advance, ink.right)).toBeLessThanOrEqual(box.width + 0.1);
            expect(baseline - ink.ascent).toBeGreaterThanOrEqual(above - 0.1);
            expect(baseline + ink.descent).toBeLessThanOrEqual(box.height + 0.1);
            above = baseline + ink.descent;
          }
      },
    ),
    { numRuns: 300 },
  );
});

test('no character is lost by line breaks', () => {
  fc.assert(
    fc.property(aText, (text) => {
      const letters = (of: string) => of.replace(/\s/gu, '');
      expect(letters((linesOf(text) ?? []).join(''))).toBe(letters(text));
    }),
    { numRuns: 300 },
  );
});

test('a short text gets the largest size, a longer one a smaller size', () => {
  const sizeOf = (text: string) => layOut([item(text)], options(), measure)[0]?.size ?? 0;
  expect(sizeOf('Bread')).toBe(100);
  expect(sizeOf('Fresh bread every morning from seven, and cake in the afternoon')).toBeLessThan(100);
});

test('words stay whole while they are legible; lines have about the same width', () => {
  expect(linesOf('Fresh bread every morning')).toEqual(['Fresh bread', 'every morning']);
  expect(linesOf('Fresh bread every morning from seven on')).toEqual(['Fresh bread', 'every morning', 'from seven on']);
  expect(linesOf('Donaudampfschifffahrtsgesellschaft')).toHaveLength(1);
});

test('a long word shrinks to a readable size before it is broken, and the other words stay whole', () => {
  const text = 'Die Rechtsschutzversicherungsgesellschaften öffnen um seven every morning';
  const whole = linesOf(text, { box: { width: 700, height: 700 } }) ?? [];
  expect(whole.join(' ')).toBe(text);
  const narrow = linesOf(text, { box: { width: 400, height: 1_500 } }) ?? [];
  expect(narrow).toEqual(expect.arrayContaining([expect.stringContaining('öffnen'), expect.stringContaining('morning')]));
  const pieces = narrow.flatMap((line) => line.split(' ')).filter((piece) => !text.split(' ').includes(piece));
  expect(pieces).toHaveLength(2);
  expect(pieces.join('')).toBe('Rechtsschutzversicherungsgesellschaften');
});

test.each(['1.299.000,00 €', '€ 1.299', 'CHF 20.–', '24 h', '100 %', '500 kg,'])('"%s" is not broken', (number) => {
  for (const width of [200, 300, 400, 500])
    expect(linesOf(`Nur heute ${number} im Angebot`, { box: { width, height: 900 } })?.join('\n')).toContain(number);
});

test('Japanese is broken between phrases, Thai between words', () => {
  expect(linesOf('焼きたてのサワードウを毎朝七時から', { language: 'ja', box: { width: 700, height: 400 } })).toEqual([
    '焼きたての',
    'サワードウを',
    '毎朝七時から',
  ]);
  const thai = linesOf('ขนมปังสดใหม่ทุกวันตั้งแต่เจ็ดโมง', { language: 'th', box: { width: 600, height: 400 } }) ?? [];
  expect(thai.length).toBeGreaterThan(1);
  const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai.join(''))].map(({ index }) => index);
  let at = 0;
  for (const line of thai) {
    expect(words).toContain(at);
    at += line.length;
  }
});

test('lines of a right-to-left page start at the right', () => {
  const [right] = layOut([item('مرحبا')], options({ isRightToLeft: true }), measure)[0]?.lines ?? [];
  expect(right?.isRightToLeft).toBe(true);
  expect((right?.x ?? 0) + (right?.ink.advance ?? 0)).toBeCloseTo(800, 0);
});

test('small texts stay legible while the large ones next to them shrink', () => {
  const long = 'Fresh bread every morning from seven, and cake in the afternoon, and soup in the evening for everybody';
  const [headline, label] = layOut([item(long), item('New', { size: 30 })], options(), measure);
  expect(headline?.size).toBeLessThan(100);
  expect(label?.size).toBeGreaterThanOrEqual(28);
});
