import type { Keyring } from '@fanfare/runtime';
import type { SessionDocument } from '../store/sessions.ts';
import { createMessageCodes } from './message-codes.ts';

/**
 * Long-lived proofs of a session, which are not stored: a token is a message authentication code of the session's id, its generation and a secret of the
 * session. So neither a copy of the database nor the keyring alone can create one, and a token of an earlier generation is recognized.
 */
export interface RefreshTokens {
  /** The token of the session's current generation. */
  of(session: SessionDocument): string;
  read(token: string): ReadToken | undefined;
}

interface ReadToken {
  readonly sessionId: string;
  readonly generation: number;
  isOf(session: SessionDocument): boolean;
}

const TOKEN = /^frt_([0-9a-f-]{36})\.(\d{1,9})\.([\w-]+\.[\w-]{43})$/;

export function createRefreshTokens(keyring: Keyring): RefreshTokens {
  const codes = createMessageCodes(keyring, 'refresh tokens');
  const text = ({ _id, token }: SessionDocument, generation: number) => `${_id}.${generation}.${token}`;
  return {
    of: (session) => {
      const { _id, refresh_generation: generation } = session;
      return `frt_${_id}.${generation}.${codes.codeOf(text(session, generation))}`;
    },
    read(token) {
      const [, sessionId, digits, code] = TOKEN.exec(token) ?? [];
      if (sessionId === undefined || digits === undefined || code === undefined) return undefined;
      const generation = Number(digits);
      return { sessionId, generation, isOf: (session) => session._id === sessionId && codes.isCodeOf(code, text(session, generation)) };
    },
  };
}
