import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { countText } from './count-text.ts';

interface Case {
  readonly description: string;
  readonly text: string;
  readonly expected: { readonly weightedLength: number };
}

// Twitter's own conformance cases.
const file = readFileSync(join(import.meta.dirname, '../../test/twitter-text/validate.yml'), 'utf8');
const { tests } = parse(file) as { tests: Record<string, Case[]> };
const cases = [...(tests.WeightedTweetsWithDiscountedEmojiCounterTest ?? []), ...(tests.UnicodeDirectionalMarkerCounterTest ?? [])];

test.each(cases)('X weighs: $description', ({ text, expected }) => {
  expect(countText(text, 'x_weighted')).toBe(expected.weightedLength);
});

test('the conformance cases were read', () => expect(cases.length).toBeGreaterThan(20));

test.each([
  ['code_points', 'a👍é', 3],
  ['utf16', 'a👍é', 4],
  ['little_text', 'a👍 (b) #c', 9],
  ['little_text', 'Thanks @[Acme (UK)](urn:li:organization:1)!', 17],
] as const)('%s of "%s" are %d', (unit, text, length) => expect(countText(text, unit)).toBe(length));
