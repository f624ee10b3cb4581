import { cursorIn, cursorOf } from './post-cursor.ts';

const list = ['account', new Date('2026-11-01T00:00:00Z'), undefined];
const own = 'platform cursor/+?';
const cursor = cursorOf(own, list);
const [sum = '', text = ''] = cursor.split('.');

test('a cursor decodes to what was encoded', () => {
  expect(cursorIn(cursor, list)).toBe(own);
});

test.each([
  ['another platform cursor', `${sum}.${Buffer.from('other').toString('base64url')}`],
  ['a third part', `${cursor}.x`],
  ['padding', `${cursor}==`],
  ['characters outside base64url', `${cursor}!`],
  ['another spelling', `${sum}.${Buffer.from(own).toString('base64')}`],
  ['no checksum', `.${text}`],
  ['nothing else', text],
  ['no platform cursor', `${sum}.`],
])('a cursor with %s is rejected', (_what, forged) => {
  expect(() => cursorIn(forged, list)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'cursor' }));
});

test('a cursor works only for its own account and dates', () => {
  for (const other of [
    ['other', list[1], undefined],
    ['account', undefined, undefined],
    ['account', list[1], new Date(0)],
  ]) {
    expect(() => cursorIn(cursor, other)).toThrow(expect.objectContaining({ param: 'cursor' }));
  }
});
