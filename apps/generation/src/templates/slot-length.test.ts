import { lengthInSlot, mostCharacters, shortened } from './slot-length.ts';

test.each([
  ['Order today', 'cta', 'Order today'],
  ['Reserve your table for the long weekend, before everything is gone', 'cta', 'Reserve your table for the long weekend, before'],
  ['Reserve your table for the very very long weekend, before', 'cta', 'Reserve your table for the very very long weekend'],
  ['a'.repeat(80), 'label', 'a'.repeat(50)],
  ['今'.repeat(80), 'label', '今'.repeat(25)],
  ['b'.repeat(501), 'headline', 'b'.repeat(500)],
])('"%s" is shortened for the slot %s', (text, slot, expected) => {
  expect(shortened(text, slot)).toBe(expected);
  expect(lengthInSlot(expected, slot)).toBeLessThanOrEqual(mostCharacters(slot));
});
