import type { Keyring } from '@fanfare/runtime';
import type { UserDocument } from '../store/users.ts';
import { createMessageCodes } from './message-codes.ts';

/**
 * What a mail holds by which somebody confirms their address. Stored nowhere. It is for an account as it was when the mail was written: every
 * sign-up with the address chooses a password, and the links of those before it confirm nothing any more.
 */
export interface VerificationTokens {
  of(user: UserDocument, passwordHash: string): string;
  /** Undefined when it has expired, or is not one of ours. */
  read(token: string): ReadVerification | undefined;
}

export interface ReadVerification {
  readonly userId: string;
  isOf(user: UserDocument, passwordHash: string): boolean;
}

const VALID_MS = 60 * 60_000;
const TOKEN = /^([0-9a-f-]{36})\.(\d{10,16})\.([\w-]+\.[\w-]{43})$/;

export function createVerificationTokens(keyring: Keyring): VerificationTokens {
  const codes = createMessageCodes(keyring, 'email verification');
  const text = ({ _id, email }: UserDocument, hash: string, until: number) => JSON.stringify([_id, email, hash, until]);
  return {
    of(user, hash) {
      const until = Date.now() + VALID_MS;
      return `${user._id}.${until}.${codes.codeOf(text(user, hash, until))}`;
    },
    read(token) {
      const [, userId, digits, code] = TOKEN.exec(token) ?? [];
      if (userId === undefined || code === undefined) return undefined;
      const until = Number(digits);
      if (until <= Date.now()) return undefined;
      return { userId, isOf: (user, hash) => user._id === userId && codes.isCodeOf(code, text(user, hash, until)) };
    },
  };
}
