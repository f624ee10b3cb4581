import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { readSignedRequest } from './signed-request.ts';

const SECRET = 'secret-of-the-app';
const NOW = new Date('2026-08-06T12:00:00Z');
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const sign = (payload: string, secret = SECRET) => `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`;
const said = { user_id: '10150000000000001', algorithm: 'HMAC-SHA256', issued_at: seconds(NOW), expires: seconds(NOW) + 3600 };
const signed = (more: object = {}, secret = SECRET) => sign(base64url(JSON.stringify({ ...said, ...more })), secret);
const read = (text: string, now = NOW) => readSignedRequest(text, SECRET, now);

test('reads a request that Meta has signed for the app', () => {
  expect(read(signed())).toEqual({ userId: '10150000000000001', issuedAt: NOW });
});

test('an id that is a JSON number keeps all its digits', () => {
  const payload = base64url(`{"user_id":17841400000000001,"algorithm":"HMAC-SHA256","issued_at":${seconds(NOW)}}`);
  expect(read(sign(payload))?.userId).toBe('17841400000000001');
});

test.each([
  ['signed for another app', signed({}, 'another-secret')],
  ['signed by nobody', `${'A'.repeat(43)}.${signed().split('.')[1]}`],
  ['without a signature', `.${signed().split('.')[1]}`],
  ['without a payload', `${signed().split('.')[0]}.`],
  ['of one part', signed().replace('.', '')],
  ['of three parts', `${signed()}.AAAA`],
  ['with a signature cut short', signed().slice(4)],
  ['with a signature in hex', `${createHmac('sha256', SECRET).update('e30').digest('hex')}.e30`],
  ['in plain base64', signed().replace('.', '=.')],
  ['with a line break', `${signed()}\n`],
  ['of another algorithm', signed({ algorithm: 'none' })],
  ['of SHA-1', signed({ algorithm: 'HMAC-SHA1' })],
  ['of an algorithm that is a list', signed({ algorithm: ['HMAC-SHA256'] })],
  ['without an algorithm', signed({ algorithm: undefined })],
  ['without a person', signed({ user_id: undefined })],
  ['with an empty person', signed({ user_id: '' })],
  ['with a person that is an object', signed({ user_id: { $ne: '' } })],
  ['with a person that is a fraction', signed({ user_id: 1.5 })],
  ['without a time', signed({ issued_at: undefined })],
  ['with a time that is none', signed({ issued_at: 'now' })],
  ['of eight days ago', signed({ issued_at: seconds(NOW) - 8 * 86_400 })],
  ['of tomorrow', signed({ issued_at: seconds(NOW) + 86_400 })],
  ['that is no JSON', sign(base64url('{'))],
  ['that is null', sign(base64url('null'))],
  ['that is a list', sign(base64url('[]'))],
  ['that is not UTF-8', sign(Buffer.from([0xff, 0xfe]).toString('base64url'))],
  ['that is huge', signed({ more: 'x'.repeat(20_000) })],
  ['that is empty', ''],
])('rejects a request %s', (_what, text) => {
  expect(read(text)).toBeUndefined();
});

test('rejects a request in which any byte was changed', () => {
  const whole = signed();
  const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.');
  fc.assert(
    fc.property(fc.nat(whole.length - 1), letter, (at, other) => {
      const changed = whole.slice(0, at) + other + whole.slice(at + 1);
      // The last letter of a signature holds bits that belong to no byte.
      const same = Buffer.from(changed.split('.')[0] ?? '', 'base64url').equals(Buffer.from(whole.split('.')[0] ?? '', 'base64url'));
      fc.pre(!(same && changed.split('.')[1] === whole.split('.')[1]));
      expect(read(changed)).toBeUndefined();
    }),
  );
});

test('never throws, and never reads what was not signed, for any input', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(read(text)).toBeUndefined()));
  fc.assert(fc.property(fc.json(), (json) => expect(read(sign(base64url(json), randomBytes(8).toString('hex')))).toBeUndefined()));
  // Signed, but nonsense.
  fc.assert(fc.property(fc.json(), (json) => expect(read(sign(base64url(json)))).toBeUndefined()));
});
