import { DomainError } from '@fanfare/errors';
import { text } from '../../text/text.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** NIST SP 800-63B, 5.1.1.2: length counts, and composition rules do harm. */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 128;

/** A new password. */
export const newPassword = () =>
  text(MAX_PASSWORD).min(MIN_PASSWORD).meta({ format: 'password', description: 'Not your email address and not a common password.' });

/** A password at sign-in: an invalid one is simply wrong. */
export const triedPassword = () => text(1_000).min(1).meta({ format: 'password' });

/** @throws DomainError invalid_value, param `password` */
export function checkPasswordChoice(password: string, email: string): void {
  const problem = weakness(password, email);
  if (problem !== undefined) throw new DomainError('invalid_value', problem, { param: 'password' });
}

/** Why a password is too easy to guess; undefined if it is not. */
export function weakness(password: string, email: string): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase().trim();
  if (plain === email || plain === email.split('@')[0]) return 'The password must not be your email address.';
  if (new Set(plain).size < 4) return 'This password has too few different characters.';
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(plain.replace(/[\d\W_]+$/, ''))) {
    return 'This password is too common.';
  }
  return undefined;
}
