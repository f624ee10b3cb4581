import { wordsOf } from './words.ts';

test.each([
  ['Fresh BREAD, fresh from the oven!', ['fresh', 'bread', 'from', 'the', 'oven']],
  ['#FreshBread @corner_bakery https://example.com/a', ['freshbread', 'corner', 'bakery', 'https', 'example', 'com', 'a']],
  ['Café CAFE\u0301 crème', ['cafe', 'creme']],
  ['ｆｕｌｌ width', ['full', 'width']],
  ['Straße STRASSE strasse', ['strasse']],
  ['ΣΊΣΥΦΟΣ Σίσυφος', ['σισυφος']],
  ['Свежий ХЛЕБ', ['свежий', 'хлеб']],
  ['हिन्दी', ['हिन्दी']],
  ['焼きたてのパン', expect.arrayContaining(['パン'])],
  ['🥐 — !', []],
])('%s', (text, words) => expect(wordsOf(text)).toEqual(words));

test('only the first thousand words of a very long text are indexed', () => {
  const text = Array.from({ length: 2000 }, (_, index) => `w${index}`).join(' ');
  expect(wordsOf(text)).toHaveLength(1000);
  expect(wordsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
});
