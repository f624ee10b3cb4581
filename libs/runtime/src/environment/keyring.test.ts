import { randomBytes } from 'node:crypto';
import { createKeyring, keyIdOf } from './keyring.ts';

const key = () => randomBytes(32).toString('base64');
const [oldKey, newKey] = [key(), key()];
const keyring = createKeyring(`old:${oldKey}`);

test('what was sealed opens again, for the same thing only', () => {
  const sealed = keyring.seal('tøken 🎺', 'integration:1');
  expect(keyring.open(sealed, 'integration:1')).toBe('tøken 🎺');
  expect(sealed).not.toContain('tøken');
  expect(() => keyring.open(sealed, 'integration:2')).toThrow();
  expect(() => keyring.open(sealed, '')).toThrow();
});

test('the same secret never looks the same twice', () => {
  expect(keyring.seal('token', 'i')).not.toBe(keyring.seal('token', 'i'));
});

test('nothing that was tampered with opens: each byte changed, and each length cut', () => {
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

test('keys rotate while serving: the new one seals, the old one still opens and its secrets are known as stale', () => {
  const sealed = keyring.seal('token', 'i');
  const rotated = createKeyring(`new:${newKey}, old:${oldKey}`);
  expect(rotated.open(sealed, 'i')).toBe('token');
  expect(rotated.isStale(sealed)).toBe(true);
  expect([rotated.keyIds, keyIdOf(sealed), keyIdOf('nonsense')]).toEqual([['new', 'old'], 'old', '']);
  const resealed = rotated.seal('token', 'i');
  expect(rotated.isStale(resealed)).toBe(false);
  expect(() => keyring.open(resealed, 'i')).toThrow(/key "new"/);
});

test('keys for other purposes differ by purpose and by key, and stay what they are when the ring grows', () => {
  const [mails] = keyring.derive('mails');
  expect(mails.bytes).toHaveLength(32);
  expect(mails.bytes).not.toEqual(Buffer.from(oldKey, 'base64'));
  expect(keyring.derive('tokens')[0].bytes).not.toEqual(mails.bytes);
  const rotated = createKeyring(`new:${newKey}, old:${oldKey}`).derive('mails');
  expect(rotated.map(({ id }) => id)).toEqual(['new', 'old']);
  expect(rotated[1]).toEqual(mails);
  expect(rotated[0].bytes).not.toEqual(mails.bytes);
});

test('two keys of one id are refused: what one of them sealed could not be told from the other’s', () => {
  expect(() => createKeyring(`old:${oldKey},old:${newKey}`)).toThrow(/^must have a different id for each key$/);
});

test.each(['', 'old', `old:${randomBytes(16).toString('base64')}`, `:${oldKey}`, `a.b:${oldKey}`, `old:${oldKey},`])(
  'a keyring that cannot work is refused without telling the key: case %#',
  (keys) => {
    expect(() => createKeyring(keys)).toThrow(/^must be comma-separated keys id:base64 of 32 bytes each$/);
  },
);
