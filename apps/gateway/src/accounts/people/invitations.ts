import { DomainError, notFound } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, derivedId, newId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { Role } from '../access.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { countInvitation } from '../throttle.ts';
import {
  acceptInvitation,
  cancelInvitation as cancel,
  findInvitation,
  findOpenInvitation,
  insertInvitation,
  INVITATION_MS,
  renewInvitation,
  replaceExpiredInvitation,
  type InvitationDocument,
} from '../store/invitations.ts';
import { findMember, insertMember } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';
import { findUser, findUserByEmail } from '../store/users.ts';
import { checkRank, managerNow, type Changer } from './members.ts';

/** @throws DomainError permission_denied, invalid_value param `email`, rate_limit_exceeded */
export async function invite(
  context: Context,
  inviter: Changer,
  wanted: { readonly invitationId: string; readonly email: string; readonly role: Role },
): Promise<InvitationDocument> {
  const { db, mongo } = context;
  const { organizationId, userId } = inviter;
  const { invitationId, email, role } = wanted;
  const repeated = await findInvitation(db, organizationId, invitationId);
  if (repeated) return repeated;
  await rejectMember(context, organizationId, email);
  await countInvitation(db, organizationId);

  const at = currentTime();
  const invitation: InvitationDocument = {
    _id: invitationId,
    organization_id: organizationId,
    email,
    role,
    status: 'pending',
    invited_by: userId,
    created_at: at,
    expires_at: new Date(at.getTime() + INVITATION_MS),
    mails: 1,
  };
  try {
    await transaction(mongo.client, async (session) => {
      checkRank(await managerNow(db, inviter, session), role);
      await replaceExpiredInvitation(db, organizationId, email, session);
      await insertInvitation(db, invitation, session);
      await sendInvitation(context, invitation, userId, session);
      await record(context, inviter, 'invitation.created', invitation, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error, 'email')) throw error;
    throw new DomainError('invalid_value', 'This address already has a pending invitation. Resend or cancel it.', { param: 'email' });
  }
  return invitation;
}

/** Mails the invitation again, and renews its validity. @throws DomainError permission_denied, resource_not_found, rate_limit_exceeded */
export async function resendInvitation(context: Context, inviter: Changer, { id, check }: InvitationToChange): Promise<InvitationDocument> {
  await countInvitation(context.db, inviter.organizationId);
  return transaction(context.mongo.client, async (session) => {
    const manager = await managerNow(context.db, inviter, session);
    await checkInvitation(context, inviter, { id, check }, session);
    const invitation = await renewInvitation(context.db, inviter.organizationId, id, session);
    if (!invitation) throw notFound('pending invitation');
    checkRank(manager, invitation.role);
    await sendInvitation(context, invitation, inviter.userId, session);
    await record(context, inviter, 'invitation.resent', invitation, session);
    return invitation;
  });
}

/** @throws DomainError permission_denied, resource_not_found */
export async function cancelInvitation(context: Context, changer: Changer, { id, check }: InvitationToChange): Promise<void> {
  await transaction(context.mongo.client, async (session) => {
    await managerNow(context.db, changer, session);
    await checkInvitation(context, changer, { id, check }, session);
    const invitation = await cancel(context.db, changer.organizationId, id, session);
    if (!invitation) throw notFound('pending invitation');
    await record(context, changer, 'invitation.cancelled', invitation, session);
  });
}

/** @throws DomainError invalid_value, param `invitation_token` */
export async function invitationOf({ db, identity }: Context, token: string): Promise<InvitationDocument> {
  const id = identity.invitationTokens.read(token);
  const invitation = id === undefined ? null : await findOpenInvitation(db, id);
  if (invitation) return invitation;
  throw new DomainError('invalid_value', 'This invitation does not exist or is no longer pending.', { param: 'invitation_token' });
}

/**
 * Accepts an invitation for a signed-in user with the invited address and the mailed token. An account with the address is not enough, because it does not
 * show who reads its mail now.
 * @throws DomainError invalid_value, param `invitation_token`; resource_not_found
 */
export async function acceptAsUser(
  context: Context,
  { userId, request }: { readonly userId: string; readonly request: AuditRequest },
  { id, token }: { readonly id: string; readonly token: string },
): Promise<InvitationDocument> {
  const { db, mongo, identity } = context;
  const [memberId, at] = [newId(), currentTime()];
  return transaction(mongo.client, async (session) => {
    const user = await findUser(db, userId, session);
    const invitation = user?.email_verified ? await acceptInvitation(db, id, user.email, session) : null;
    if (!invitation) throw notFound('pending invitation for you');
    if (identity.invitationTokens.read(token) !== id) {
      throw new DomainError(
        'invalid_value',
        'invitation_token does not belong to this invitation. Use the token from the invitation email.',
        {
          param: 'invitation_token',
        },
      );
    }
    const { organization_id: organizationId, role } = invitation;
    await insertMember(db, { _id: memberId, organization_id: organizationId, user_id: userId, role, created_at: at }, session);
    await record(context, { organizationId, userId, request }, 'invitation.accepted', invitation, session);
    return invitation;
  });
}

interface InvitationToChange {
  readonly id: string;
  /** Throws if the invitation is not in the state that the caller expects. */
  readonly check: (current: InvitationDocument) => void;
}

async function checkInvitation(
  { db }: Context,
  { organizationId }: Changer,
  { id, check }: InvitationToChange,
  session: ClientSession,
): Promise<void> {
  const current = await findInvitation(db, organizationId, id, session);
  if (current) check(current);
}

async function rejectMember({ db }: Context, organizationId: string, email: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user || !(await findMember(db, organizationId, user._id))) return;
  throw new DomainError('invalid_value', 'A user with this address is already a member.', { param: 'email' });
}

async function sendInvitation(context: Context, invitation: InvitationDocument, inviterId: string, session: ClientSession): Promise<void> {
  const { _id: invitationId, organization_id: organizationId, email: to, role, mails } = invitation;
  const [organization, inviter] = await Promise.all([findOrganization(context.db, organizationId), findUser(context.db, inviterId)]);
  const data = {
    organization: organization?.name ?? '',
    inviter: inviter?.name ?? '',
    role,
    invitationId,
    token: context.identity.invitationTokens.of(invitationId),
  };
  await queueMail(context, { id: derivedId(invitationId, `mail ${mails}`), to, template: 'invitation', data }, session);
}

async function record(
  context: Context,
  { organizationId, userId, request }: Changer,
  action: string,
  { _id, email, role, mails }: InvitationDocument,
  session: ClientSession,
): Promise<void> {
  const entry = { id: derivedId(_id, `${action} ${mails}`), organizationId, actor: `user:${userId}`, action, request };
  await recordAudit(context, { ...entry, targetType: 'invitation', targetId: _id, details: { email, role } }, session);
}
