import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest with AES-256-GCM. The id of the key is stored with the ciphertext, so that keys rotate without downtime. */
export interface Keyring {
  /** The first key, which encrypts. */
  readonly keyIds: readonly [string, ...string[]];
  /** @param context what the secret belongs to, such as `integration:{id}`; decrypting it for anything else fails */
  seal(plaintext: string, context: string): string;
  /** @throws Error if the key is unknown, the context differs or the text was modified */
  open(sealed: string, context: string): string;
  /** Whether `sealed` was encrypted with a key that is no longer the current one. */
  isStale(sealed: string): boolean;
  /**
   * Keys for another purpose, one derived from each key of the ring, the current one first (HKDF-SHA-256, RFC 5869). Knowing one reveals neither the
   * key of the ring nor the keys of other purposes.
   */
  derive(purpose: string): readonly [DerivedKey, ...DerivedKey[]];
}

export interface DerivedKey {
  /** The id of the ring's key. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
/** Passed to Node too: otherwise it would accept a shortened tag. */
const TAG_BYTES = 16;

/** The id of the key that encrypted it. */
export const keyIdOf = (sealed: string): string => sealed.slice(0, Math.max(sealed.indexOf('.'), 0));

/** @param keys `id:base64,…`, 32 bytes each; the first one encrypts, all of them decrypt */
export function createKeyring(keys: string): Keyring {
  const parsed = parseKeyring(keys);
  const [currentId] = parsed.keys();
  const current = currentId === undefined ? undefined : parsed.get(currentId);
  if (currentId === undefined || current === undefined) throw new Error('A keyring must have at least one key.');

  return {
    keyIds: [currentId, ...[...parsed.keys()].slice(1)],
    seal(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `${currentId}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed, context) {
      const keyId = keyIdOf(sealed);
      const key = parsed.get(keyId);
      if (!key) throw new Error(`The secret is encrypted with key "${keyId}", which is not in this process's keyring.`);
      const bytes = Buffer.from(sealed.slice(keyId.length + 1), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
    isStale: (sealed) => !sealed.startsWith(`${currentId}.`),
    derive(purpose) {
      const of = ([id, key]: [string, Buffer]) => ({
        id,
        bytes: Buffer.from(hkdfSync('sha256', key, '', `fanfare ${purpose}`, KEY_BYTES)),
      });
      return [of([currentId, current]), ...[...parsed].slice(1).map(of)];
    },
  };
}

/**
 * The keys by id, in the given order.
 * @throws Error that shows nothing of the keys
 */
export function parseKeyring(keys: string): ReadonlyMap<string, Buffer> {
  const entries = keys.split(',').map(parseKey);
  const parsed = new Map(entries);
  if (parsed.size < entries.length) throw new Error('must have a different id for each key');
  return parsed;
}

function parseKey(text: string): [string, Buffer] {
  const at = text.indexOf(':');
  const id = text.slice(0, at).trim();
  const key = Buffer.from(text.slice(at + 1), 'base64');
  if (!/^[\w-]+$/.test(id) || key.length !== KEY_BYTES) throw new Error('must be comma-separated keys id:base64 of 32 bytes each');
  return [id, key];
}

/** How many secrets a key encrypts. `known`: this process has it. */
export interface KeyUse {
  readonly keyId: string;
  readonly known: boolean;
  readonly secrets: number;
}

/** The use of the keys of the keyring, in its order, and then of keys that it lacks. @param counts of secrets, by the id of the key that encrypts them */
export function keyUses({ keyIds }: Pick<Keyring, 'keyIds'>, counts: ReadonlyMap<string, number>): KeyUse[] {
  const unknown = [...counts.keys()].filter((id) => !keyIds.includes(id)).sort();
  const use = (known: boolean) => (keyId: string) => ({ keyId, known, secrets: counts.get(keyId) ?? 0 });
  return [...keyIds.map(use(true)), ...unknown.map(use(false))];
}
