import fc from 'fast-check';
import { aContent } from '../../test/a-content.ts';
import { checkContent } from '../checks/check-content.ts';
import type { TextLimit } from '../limits.ts';
import { fitText } from './fit-text.ts';
import { platformRules } from '../platform.ts';

const limit = (more: Partial<TextLimit>): TextLimit => ({ max: 280, unit: 'x_weighted', ...more });

test.each<[string, string, Partial<TextLimit>, string]>([
  ['a text that fits stays unchanged', 'Fresh bread  from seven. ', {}, 'Fresh bread  from seven. '],
  ['a cut is made between words', 'Fresh bread from seven', { max: 14, unit: 'utf16' }, 'Fresh bread…'],
  ['one long word is cut', 'Donaudampfschifffahrt', { max: 8, unit: 'utf16' }, 'Donauda…'],
  ['what people see as one character is not cut', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', { max: 13, unit: 'utf16' }, '👩‍👩‍👧‍👦…'],
  ['bytes are counted as bytes', 'ähä ähä ähä', { max: 9, unit: 'utf8_bytes' }, 'ähä…'],
  ['one hashtag too many becomes a word', '#a #b c#d #ü', { maxHashtags: 2 }, '#a #b c#d ü'],
  ['one mention too many becomes a word', '@a @b', { maxMentions: 1 }, '@a b'],
  ['signs that stand together go together', '@a @@b @@@c', { maxMentions: 1 }, '@a b c'],
  ['forbidden characters are left out', 'a < b', { forbidden: ['<'] }, 'a  b'],
  [
    'a text far too long is cut as any other',
    `#a #b #c ${'Bread '.repeat(20_000)}`,
    { max: 24, unit: 'utf16', maxHashtags: 1 },
    '#a b c Bread Bread…',
  ],
  [
    'forbidden characters do not count',
    `${'<'.repeat(5_000)}Bread from seven`,
    { max: 12, unit: 'utf16', forbidden: ['<'] },
    'Bread from…',
  ],
  ['one cashtag too many becomes a word', '$AAA and $BBB', { maxCashtags: 1 }, '$AAA and BBB'],
])('%s', (_what, text, more, fitted) => {
  expect(fitText(text, limit(more))).toBe(fitted);
});

const words = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }) },
  fc.constantFrom(
    '<b>',
    '#bread',
    '##bread',
    '@@mill',
    '\uFEFF',
    '@mill',
    '$FLR',
    'https://example.com/a/long/path',
    '語語語語',
    '👩‍👩‍👧‍👦',
    'é',
    '\n',
  ),
);
const texts = fc.array(words, { maxLength: 900 }).map((some) => some.join(' '));

test.each(Object.entries(platformRules))('there is no finding for a text that was shortened for %s', (_platform, { limits }) => {
  fc.assert(
    fc.property(texts, (caption) => {
      const found = (text: string) => checkContent({ limits }, aContent({ caption: text })).filter(({ field }) => field === 'caption');
      const fitted = fitText(caption, limits.text);
      expect(found(fitted).filter(({ rule }) => rule !== 'required')).toEqual([]);
      if (found(caption).length === 0) expect(fitted).toBe(caption);
    }),
    { numRuns: 60 },
  );
});
