import { z } from 'zod';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** NIST SP 800-63B, 5.1.1.2: length counts; rules of composition do harm. */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 128;

/** A password that somebody chooses. */
export const newPassword = () =>
  z
    .string()
    .min(MIN_PASSWORD, `must have at least ${MIN_PASSWORD} characters`)
    .max(MAX_PASSWORD, `must have at most ${MAX_PASSWORD} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'holds characters that nobody can type')
    .meta({ format: 'password', description: 'No address of yours, and none of the most common ones.' });

/** A password that is being tried: whatever is wrong with it, it is simply the wrong one. */
export const triedPassword = () => z.string().min(1).max(1_000).meta({ format: 'password' });

/** Why a password is too easy to guess; undefined when it is not. */
export function weakness(password: string, email: string): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase().trim();
  if (plain === email || plain === email.split('@')[0]) return 'Your e-mail address is no password.';
  if (new Set(plain).size < 4) return 'This password has too few different characters.';
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(plain.replace(/[\d\W_]+$/, ''))) {
    return 'This password is among the first that anybody would try.';
  }
  return undefined;
}
