import { byteRange } from './byte-range.ts';

const version = { etag: '"v1"', lastModified: 'Tue, 01 Jan 2030 00:00:00 GMT' };
const rangeFor = (range: string, ifRange?: string) =>
  byteRange({ range, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) }, 100, version);

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
])('%s', (range, expected) => {
  expect(rangeFor(range)).toEqual(expected);
});

test.each(['bytes=100-', 'bytes=200-300', 'bytes=-0'])('%s cannot be satisfied', (range) => {
  expect(rangeFor(range)).toBe('unsatisfiable');
});

test.each(['bytes=0-1,5-6', 'bytes', 'bytes=-', 'bytes=5-4', 'bytes=a-b', 'items=0-1', 'nonsense', 'nonsense=1000-'])(
  '%s gets the whole file',
  (range) => {
    expect(rangeFor(range)).toBeUndefined();
  },
);

test('If-Range for another version gets the whole file', () => {
  expect(rangeFor('bytes=0-0', '"v1"')).toEqual({ start: 0, end: 0 });
  expect(rangeFor('bytes=0-0', '"v2"')).toBeUndefined();
  expect(rangeFor('bytes=0-0', 'W/"v1"')).toBeUndefined();
  expect(rangeFor('bytes=0-0', version.lastModified)).toEqual({ start: 0, end: 0 });
  expect(rangeFor('bytes=0-0', 'Wed, 02 Jan 2030 00:00:00 GMT')).toBeUndefined();
  expect(byteRange({}, 100, version)).toBeUndefined();
});
