import type { Keyring } from '@fanfare/runtime';
import { createMessageCodes } from './message-codes.ts';

/** Tokens of mailed links: the id of a document with a message authentication code. They prove that the recipient owns the address, and are not stored. */
export interface IdTokens {
  of(id: string): string;
  /** The id; undefined if the token is invalid. */
  read(token: string): string | undefined;
}

const TOKEN = /^([0-9a-f-]{36})\.([\w-]+\.[\w-]{43})$/;

/** @param purpose a token is valid only for the purpose it was created for */
export function createIdTokens(keyring: Keyring, purpose: string): IdTokens {
  const codes = createMessageCodes(keyring, purpose);
  return {
    of: (id) => `${id}.${codes.codeOf(id)}`,
    read(token) {
      const [, id, code] = TOKEN.exec(token) ?? [];
      return id !== undefined && code !== undefined && codes.isCodeOf(code, id) ? id : undefined;
    },
  };
}
