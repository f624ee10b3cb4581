import { createHash, createHmac } from 'node:crypto';
import type { Keyring } from '@fanfare/runtime';

/** Test keys belong to organizations whose posts are meant for the sandbox, live keys to all others. */
export type Mode = 'test' | 'live';

const API_KEY = /^fk_(?:live|test)_[\w-]{43}$/;

/**
 * The secret of an operation that may be carried out twice, when a process dies between storing the key and answering: both times it is the
 * same, so that whichever answer is kept holds the secret that works. Nobody makes it without the keyring.
 */
export function derivedApiKey(mode: Mode, keyring: Keyring, operationId: string): string {
  const [{ bytes }] = keyring.derive('api keys');
  return withPrefix(mode, createHmac('sha256', bytes).update(operationId).digest());
}

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** What is stored of a key. Its 256 bits cannot be guessed, so that one round of SHA-256 is enough. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** By which people tell their keys apart. */
export const hintOf = (key: string): string => key.slice(-4);

/** 256 bits behind a prefix that people and secret scanners recognize. */
const withPrefix = (mode: Mode, bytes: Buffer) => `fk_${mode}_${bytes.toString('base64url')}`;
