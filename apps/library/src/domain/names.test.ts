import { nameKey, readName } from './names.ts';

test.each([
  'notes.md',
  'a',
  'x'.repeat(255),
  '.env',
  '...',
  'Überblick',
  'a b',
  'C:\\x',
  '日本語',
  '🍞',
  'שלום',
  '__proto__',
  '$set',
  'a.b',
  'null',
])('a file may be called %j', (name) => expect(readName(name)).toBe(name));

test.each([
  ['', /empty/],
  ['x'.repeat(256), /255/],
  ['x'.repeat(10_000), /255/],
  ['.', /paths/],
  ['..', /paths/],
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
  [' a', /space/],
  ['a ', /space/],
  ['a\u00a0', /space/],
  ['\u3000', /space/],
])('none may be called %j', (name, detail) => {
  let thrown: unknown;
  try {
    readName(name);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'invalid_value', param: 'name', message: expect.stringMatching(detail) as string });
});

test('a name is composed before it is measured and compared', () => {
  const decomposed = 'e\u0301'.repeat(255);
  expect(readName(decomposed)).toBe('é'.repeat(255));
  expect(nameKey('Cafe\u0301')).toBe(nameKey('CAFÉ'));
  expect(nameKey('a')).not.toBe(nameKey('b'));
});
