import { createHash, randomBytes } from 'node:crypto';

/** Test keys belong to organizations whose posts are meant for the sandbox, live keys to all others. */
export type Mode = 'test' | 'live';

const API_KEY = /^fk_(?:live|test)_[\w-]{43}$/;

/** A new secret: 256 random bits behind a prefix that people and secret scanners recognise. */
export function newApiKey(mode: Mode): string {
  return `fk_${mode}_${randomBytes(32).toString('base64url')}`;
}

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** What is stored of a key. Its 256 bits cannot be guessed, so that one round of SHA-256 is enough. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
