import { fromLittleText, toLittleText } from './little-text.ts';

test.each([
  ['plain words, straße, 語, 🎉', 'plain words, straße, 語, 🎉'],
  ['a \\ b | c {d} [e] (f) <g> *h* _i_ ~j~', 'a \\\\ b \\| c \\{d\\} \\[e\\] \\(f\\) \\<g\\> \\*h\\* \\_i\\_ \\~j\\~'],
  ['mail me@example.com', 'mail me\\@example.com'],
  ['#coffee and #Straße2, C#, #1, # alone', '#coffee and #Straße2, C\\#, \\#1, \\# alone'],
  ['#open_source', '{hashtag|\\#|open\\_source}'],
  ['https://example.com/a_b#part', 'https://example.com/a\\_b\\#part'],
  ['Thanks @[Acme Corp](urn:li:organization:123)!', 'Thanks @[Acme Corp](urn:li:organization:123)!'],
  ['Thanks @[Acme (UK)](urn:li:organization:123)', 'Thanks @[Acme \\(UK\\)](urn:li:organization:123)'],
  ['@[nobody](https://example.com)', '\\@\\[nobody\\]\\(https://example.com\\)'],
])('%s', (text, littleText) => {
  expect(toLittleText(text)).toBe(littleText);
  expect(fromLittleText(littleText)).toBe(text);
});

test('a hashtag is read in the form that LinkedIn hands back', () => {
  expect(fromLittleText('Hello {hashtag|#|Technology} and {hashtag|\\#|mytag}')).toBe('Hello #Technology and #mytag');
});
