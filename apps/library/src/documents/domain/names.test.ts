import { nameKey, readName } from './names.ts';

test.each([
  'notes.md',
  'a',
  'x'.repeat(255),
  '.env',
  '...',
  'Überblick',
  'a b',
  '日本語',
  '🍞',
  'שלום',
  '__proto__',
  '$set',
  'a.b',
  'null',
  '👩\u200d👩\u200d👧 family.md',
  '❤\ufe0f\u200d🔥',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'می\u200cخواهم',
])('%j is a valid name', (name) => expect(readName(name)).toBe(name));

test.each([
  ['', /empty/],
  ['x'.repeat(256), /255/],
  ['x'.repeat(10_000), /255/],
  ['.', /cannot be/],
  ['..', /cannot be/],
  ['a/b', /slash/],
  ['/', /slash/],
  ['../etc', /slash/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\tb', /control/],
  ['a\u007f', /control/],
  ['a\u0085b', /control/],
  ['a\u2028b', /control/],
  ['\u202egpj.exe', /direction/],
  ['a\u2066b', /direction/],
  ['a\u2069', /direction/],
  ['a\\b', /backslash/],
  ...['\u200e', '\u200f', '\u061c'].map((mark): [string, RegExp] => [`a${mark}b`, /direction/]),
  ...['\u200b', '\ufeff', '\u2060', '\u00ad', '\u180e', '\u{e0041}'].map((invisible): [string, RegExp] => [
    `a${invisible}b`,
    /invisible character/,
  ]),
  ['a\u200d', /invisible character/],
  ['\u200ca', /invisible character/],
  ['\u{1f3f4}\u{e0067}', /invisible character/],
  ['a\uffff', /invalid Unicode/],
  ['a\u{1fffe}', /invalid Unicode/],
  ['a\ud800', /invalid Unicode/],
  ...['\u200b', '\u3164', '\u2800', '\u115f', '\u1160', '\uffa0', '\u200d', '\ufe0f', '\u2800 \u3164'].map((blank): [string, RegExp] => [
    blank,
    /no visible character/,
  ]),
  [' a', /space/],
  ['a ', /space/],
  ['a\u00a0', /space/],
  ['\u3000', /visible/],
])('%j is not a valid name', (name, detail) => {
  let thrown: unknown;
  try {
    readName(name);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'invalid_value', param: 'name', message: expect.stringMatching(detail) as string });
});

test('a name is normalized before it is measured and compared', () => {
  const decomposed = 'e\u0301'.repeat(255);
  expect(readName(decomposed)).toBe('é'.repeat(255));
  expect(nameKey('Cafe\u0301')).toBe(nameKey('CAFÉ'));
  expect(nameKey('a')).not.toBe(nameKey('b'));
});

test.each([
  ['Straße', 'STRASSE'],
  ['straße', 'STRA\u1e9eE'],
  ['\u017ftar', 'Star'],
  ['\u01f0', 'J\u030c'],
  ['ὈΔΟΣ', 'ὀδος'],
  ['\ufb01sh', 'FISH'],
  ['\u212a', 'k'],
])('%j and %j are the same name', (one, other) => expect(nameKey(one)).toBe(nameKey(other)));
