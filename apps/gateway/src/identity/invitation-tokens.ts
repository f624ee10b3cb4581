import { DomainError } from '@fanfare/errors';
import type { Keyring } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findOpenInvitation, type InvitationDocument } from '../store/invitations.ts';
import { createMessageCodes } from './message-codes.ts';

/** What the mail of an invitation holds, to show that its reader owns the address. Stored nowhere. */
export interface InvitationTokens {
  of(invitationId: string): string;
  /** The id of the invitation; undefined when the token is not one of ours. */
  read(token: string): string | undefined;
}

const TOKEN = /^([0-9a-f-]{36})\.([\w-]+\.[\w-]{43})$/;

export function createInvitationTokens(keyring: Keyring): InvitationTokens {
  const codes = createMessageCodes(keyring, 'invitations');
  return {
    of: (id) => `${id}.${codes.codeOf(id)}`,
    read(token) {
      const [, id, code] = TOKEN.exec(token) ?? [];
      return id !== undefined && code !== undefined && codes.isCodeOf(code, id) ? id : undefined;
    },
  };
}

/** @throws DomainError invalid_value, param `invitation_token` */
export async function invitationOf({ db, identity }: Context, token: string): Promise<InvitationDocument> {
  const id = identity.invitationTokens.read(token);
  const invitation = id === undefined ? null : await findOpenInvitation(db, id);
  if (invitation) return invitation;
  throw new DomainError('invalid_value', 'This is not an invitation, or it is not open any more.', { param: 'invitation_token' });
}
