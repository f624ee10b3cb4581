import { DomainError } from '@fanfare/errors';
import { pageOf, pageToken, parsePageToken, shortened } from './page.ts';

const binding = ['posts', 'org-1', 'biz-1', ['SCHEDULED']];
const position = { createdAt: new Date('2026-07-17T10:00:00.123Z'), id: '01981c2a-0000-7000-8000-000000000001' };
const token = pageToken(position, binding);

const rejected = (read: () => unknown) => {
  let error: unknown;
  try {
    read();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code: 'invalid_request', param: 'cursor' });
};

test('a token has the position of its page; an empty one means the first page', () => {
  expect(parsePageToken(token, binding)).toEqual(position);
  expect(parsePageToken('', binding)).toBeUndefined();
});

test.each([
  ['another collection', ['businesses', 'org-1', 'biz-1', ['SCHEDULED']]],
  ['another organization', ['posts', 'org-2', 'biz-1', ['SCHEDULED']]],
  ['another business', ['posts', 'org-1', 'biz-2', ['SCHEDULED']]],
  ['another filter', ['posts', 'org-1', 'biz-1', ['DRAFT']]],
  ['no filter', ['posts', 'org-1', 'biz-1', []]],
])('a token is rejected by %s', (_what, other) => rejected(() => parsePageToken(token, other)));

test('a token is rejected if any of its characters was changed, removed or added', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = 0; at < token.length; at++) {
    const [before, after] = [token.slice(0, at), token.slice(at + 1)];
    for (const other of alphabet.replace(token[at]!, '')) rejected(() => parsePageToken(before + other + after, binding));
    rejected(() => parsePageToken(before + after, binding));
    rejected(() => parsePageToken(`${before}!${token[at]}${after}`, binding));
  }
  for (const suffix of ['=', ' ', '\n', 'A', '.']) rejected(() => parsePageToken(token + suffix, binding));
});

test.each(['x', 'null', '{}', '🎺', '%00', Buffer.from('1.2.3').toString('base64url'), 'a'.repeat(10_000)])(
  'text that is not a token is rejected: case %#',
  (text) => rejected(() => parsePageToken(text, binding)),
);

test('a page with the last row has no token, even if it is full', () => {
  const rows = ['c', 'b', 'a'].map((_id) => ({ _id, created_at: new Date(0) }));
  expect(pageOf(rows, 3, binding)).toEqual({ rows, nextPageToken: '' });
  expect(pageOf([], 3, binding)).toEqual({ rows: [], nextPageToken: '' });
  const cut = pageOf(rows, 2, binding);
  expect(cut.rows).toEqual(rows.slice(0, 2));
  expect(parsePageToken(cut.nextPageToken, binding)).toEqual({ createdAt: new Date(0), id: 'b' });
});

test('a page that is too large is cut where it fits, but not before its second row', () => {
  const page = { rows: ['c', 'b', 'a'].map((_id) => ({ _id, created_at: new Date(0) })), nextPageToken: '' };
  expect(shortened(page, binding, [10, 10, 10], 30)).toBe(page);
  const two = shortened(page, binding, [10, 10, 11], 30);
  expect(two.rows).toEqual(page.rows.slice(0, 2));
  expect(parsePageToken(two.nextPageToken, binding)).toEqual({ createdAt: new Date(0), id: 'b' });
  const one = shortened(page, binding, [31, 1, 1], 30);
  expect(one.rows).toEqual(page.rows.slice(0, 1));
  expect(parsePageToken(one.nextPageToken, binding)).toEqual({ createdAt: new Date(0), id: 'c' });
  expect(shortened({ rows: [], nextPageToken: '' }, binding, [], 30).rows).toEqual([]);
});
