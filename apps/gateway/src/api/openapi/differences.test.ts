import { differences } from './differences.ts';

test('what was added, taken away and changed is named by its path', () => {
  const before = { paths: { '/a': { get: { summary: 'A', tags: ['x'] } }, '/b': {} }, info: null };
  const after = { paths: { '/a': { get: { summary: 'An A', tags: ['x', 'y'] } }, '/c': {} }, info: null };
  expect(differences(before, after)).toEqual(['~ paths./a.get.summary: "A" → "An A"', '+ paths./a.get.tags.1', '- paths./b', '+ paths./c']);
});

test('what is the same has none', () => expect(differences({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]));
