import { etagOf, isNoneMatch, parseIfMatch } from './etag.ts';

const etag = etagOf(7, '2026-08-06');

test.each([undefined, '*', ' * '])('If-Match %j is no condition', (header) => expect(parseIfMatch(header)).toEqual([]));

test.each([
  [etag, [7]],
  [etagOf(7, '2026-08-06', 3), [7]],
  [etagOf(7, '2026-04-08'), [7]],
  [` ${etag} , "8.2026-04-08"`, [7, 8]],
  [`W/${etag}`, [-1]],
  ['"of another server"', [-1]],
  [`"x", ${etag}`, [-1, 7]],
  ['7', [-1]],
  ['', [-1]],
  [`${etag},`, [-1]],
  ['"99999999999999999999.2026-08-06"', [-1]],
])('If-Match %j allows the revisions %j', (header, revisions) => expect(parseIfMatch(header)).toEqual(revisions));

test.each([etag, `W/${etag}`, '*', `"x", ${etag}`])('If-None-Match %j is met by what the caller has', (header) => {
  expect(isNoneMatch(header, etag)).toBe(true);
});

test.each([undefined, '', '"x"', etagOf(7, '2026-08-06', 1), etagOf(8, '2026-08-06'), etagOf(7, '2026-04-08'), '7.2026-08-06'])(
  'If-None-Match %j is not met: the response is sent',
  (header) => expect(isNoneMatch(header, etag)).toBe(false),
);

test('a long header is read in linear time', () => {
  const header = `${'"a", '.repeat(20_000)}x`;
  expect(parseIfMatch(header)).toEqual([-1]);
});
