import { createHash, createHmac } from 'node:crypto';
import type { Keyring } from '@fanfare/runtime';

/** Test keys belong to organizations whose posts go to the sandbox, live keys to all others. */
export type Mode = 'test' | 'live';

const API_KEY = /^fk_(?:live|test)_[\w-]{43}$/;

/**
 * The secret of a key, derived from the operation that creates it. If a process ends between storing the key and responding, the repeated operation derives
 * the same secret, so that either stored response contains the one that works. It cannot be derived without the keyring.
 */
export function derivedApiKey(mode: Mode, keyring: Keyring, operationId: string): string {
  const [{ bytes }] = keyring.derive('api keys');
  return withPrefix(mode, createHmac('sha256', bytes).update(operationId).digest());
}

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** The stored hash of a key. Its 256 bits cannot be guessed, so that one round of SHA-256 is enough. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The last characters of a key, by which people identify it. */
export const hintOf = (key: string): string => key.slice(-4);

/** 256 bits with a prefix that people and secret scanners recognize. */
const withPrefix = (mode: Mode, bytes: Buffer) => `fk_${mode}_${bytes.toString('base64url')}`;
