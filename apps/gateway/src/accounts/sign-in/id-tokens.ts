import type { Keyring } from '@fanfare/runtime';
import { createMessageCodes } from './message-codes.ts';

/** What a mailed link holds, to show that its reader owns the address: the id of a document, and a code over it. Stored nowhere. */
export interface IdTokens {
  of(id: string): string;
  /** The id; undefined when the token is not one of ours. */
  read(token: string): string | undefined;
}

const TOKEN = /^([0-9a-f-]{36})\.([\w-]+\.[\w-]{43})$/;

/** @param purpose tokens of one purpose are worth nothing for another */
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
