import { randomBytes } from 'node:crypto';
import { createKeyring, keyIdOf } from './keyring.ts';

const key = () => randomBytes(32).toString('base64');
const [oldKey, newKey] = [key(), key()];
const keyring = createKeyring(`old:${oldKey}`);

test('an encrypted text can be decrypted, for the same context only', () => {
  const sealed = keyring.seal('tøken 🎺', 'integration:1');
  expect(keyring.open(sealed, 'integration:1')).toBe('tøken 🎺');
  expect(sealed).not.toContain('tøken');
  expect(() => keyring.open(sealed, 'integration:2')).toThrow();
  expect(() => keyring.open(sealed, '')).toThrow();
});

test('the same secret is never encrypted to the same text twice', () => {
  expect(keyring.seal('token', 'i')).not.toBe(keyring.seal('token', 'i'));
});

test('a modified text cannot be decrypted: each byte changed, and each length cut', () => {
  for (const secret of ['token', '']) {
    const sealed = keyring.seal(secret, 'i');
    const bytes = Buffer.from(sealed.slice('old.'.length), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => keyring.open(`old.${changed.toString('base64url')}`, 'i')).toThrow();
      expect(() => keyring.open(`old.${bytes.subarray(0, at).toString('base64url')}`, 'i')).toThrow();
    }
  }
});

test('keys rotate without downtime: the new one encrypts, the old one still decrypts and its secrets are reported as stale', () => {
  const sealed = keyring.seal('token', 'i');
  const rotated = createKeyring(`new:${newKey}, old:${oldKey}`);
  expect(rotated.open(sealed, 'i')).toBe('token');
  expect(rotated.isStale(sealed)).toBe(true);
  expect([rotated.keyIds, keyIdOf(sealed), keyIdOf('nonsense')]).toEqual([['new', 'old'], 'old', '']);
  const resealed = rotated.seal('token', 'i');
  expect(rotated.isStale(resealed)).toBe(false);
  expect(() => keyring.open(resealed, 'i')).toThrow(/key "new"/);
});

test('keys for other purposes differ by purpose and by key, and do not change when the ring grows', () => {
  const [mails] = keyring.derive('mails');
  expect(mails.bytes).toHaveLength(32);
  expect(mails.bytes).not.toEqual(Buffer.from(oldKey, 'base64'));
  expect(keyring.derive('tokens')[0].bytes).not.toEqual(mails.bytes);
  const rotated = createKeyring(`new:${newKey}, old:${oldKey}`).derive('mails');
  expect(rotated.map(({ id }) => id)).toEqual(['new', 'old']);
  expect(rotated[1]).toEqual(mails);
  expect(rotated[0].bytes).not.toEqual(mails.bytes);
});

test('two keys with the same id are rejected, because their secrets could not be told apart', () => {
  expect(() => createKeyring(`old:${oldKey},old:${newKey}`)).toThrow(/^must have a different id for each key$/);
});

test.each(['', 'old', `old:${randomBytes(16).toString('base64')}`, `:${oldKey}`, `a.b:${oldKey}`, `old:${oldKey},`])(
  'an invalid keyring is rejected without showing the key: case %#',
  (keys) => {
    expect(() => createKeyring(keys)).toThrow(/^must be comma-separated keys id:base64 of 32 bytes each$/);
  },
);
