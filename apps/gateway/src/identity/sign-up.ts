import { DomainError } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { recordAudit } from '../audit.ts';
import type { Context } from '../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { putPasswordHash } from '../store/accounts.ts';
import { acceptInvitation } from '../store/invitations.ts';
import { adoptMemberships, insertMember } from '../store/members.ts';
import { deleteSessions } from '../store/sessions.ts';
import { claimUser, findUserByEmail, insertUser, replaceUnconfirmedUser } from '../store/users.ts';
import { atLeastMs } from './at-least.ts';
import type { Client } from './client.ts';
import { invitationOf } from './invitation-tokens.ts';
import { checkPasswordChoice } from './password-rules.ts';
import { takeMailTry } from './throttle.ts';
import { sendVerification } from './verify-email.ts';

export interface SignUp {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** An account that exists answers like a new one; what its mail says tells its owner. */
const FLOOR_MS = 600;

/**
 * Somebody of whom we know nothing. They can sign in when they have confirmed their address; then their organization is founded.
 * @throws DomainError permission_denied where only those may who were invited, invalid_value for an easy password, rate_limit_exceeded
 */
export async function signUp(context: Context, who: SignUp, organizationName: string, client: Client): Promise<void> {
  if (context.config.signUp !== 'open') throw new DomainError('permission_denied', 'Only people who were invited can sign up here.');
  checkPasswordChoice(who.password, who.email);
  await takeMailTry(context.db, who.email, client);
  await adoptMemberships(context.db, who.email);
  await atLeastMs(FLOOR_MS, async () => {
    const work = await unconfirmedSignUp(context, who, organizationName);
    await work().catch((error: unknown) => {
      // Two sign-ups of one address at once: the other one has made the account.
      if (!isDuplicateKey(error, 'email')) throw error;
      return work();
    });
  });
}

/**
 * Until the address is confirmed nobody has shown that it is theirs, so nothing that was chosen before stays: otherwise somebody could sign up
 * with the address of another, and have the account once its owner confirms.
 */
async function unconfirmedSignUp(
  context: Context,
  { email, name, password }: SignUp,
  organizationName: string,
): Promise<() => Promise<void>> {
  const { db, mongo, identity } = context;
  const hash = await (await identity.betterAuth.$context).password.hash(password);
  const [newUserId, accountId, mailId, at] = [newId(), newId(), newId(), new Date()];
  const chosen = { name, pending_organization: organizationName };
  return () =>
    transaction(mongo.client, async (session) => {
      const existing = await findUserByEmail(db, email, session);
      if (existing && existing.email_verified !== false) {
        await queueMail(context, { id: mailId, to: email, template: 'account_exists', data: { name: existing.name } }, session);
        return;
      }
      const user = { _id: newUserId, email, email_verified: false, created_at: at, updated_at: at, ...existing, ...chosen };
      if (existing) await replaceUnconfirmedUser(db, user._id, chosen, session);
      else await insertUser(db, user, session);
      await putPasswordHash(db, { id: accountId, userId: user._id, hash }, session);
      await sendVerification(context, user, hash, mailId, session);
    });
}

/**
 * Somebody with an invitation's token, which was sent to the address and so shows that it is theirs: they become a member at once. Whoever
 * signed up with the address before, without confirming it, loses what they chose.
 * @throws DomainError invalid_value for the token, another address or an easy password; conflict when there is an account already
 */
export async function signUpInvited(context: Context, who: SignUp, invitationToken: string, client: Client): Promise<void> {
  const { db, mongo, identity } = context;
  const invitation = await invitationOf(context, invitationToken);
  if (invitation.email !== who.email) {
    throw new DomainError('invalid_value', 'The invitation is for another e-mail address.', { param: 'email' });
  }
  await adoptMemberships(db, who.email);
  checkPasswordChoice(who.password, who.email);
  const hash = await (await identity.betterAuth.$context).password.hash(who.password);

  const { email, name } = who;
  const [newUserId, accountId, memberId, auditId, at] = [newId(), newId(), newId(), newId(), new Date()];
  const work = () =>
    transaction(mongo.client, async (session) => {
      const existing = await findUserByEmail(db, email, session);
      if (existing?.email_verified) throw hasAccount();
      const userId = existing?._id ?? newUserId;
      const accepted = await acceptInvitation(db, invitation._id, email, session);
      if (!accepted) throw new DomainError('invalid_value', 'This invitation is not open any more.', { param: 'invitation_token' });
      if (existing) {
        await claimUser(db, userId, name, session);
        await deleteSessions(db, userId, undefined, session);
      } else {
        await insertUser(db, { _id: userId, email, name, email_verified: true, created_at: at, updated_at: at }, session);
      }
      await putPasswordHash(db, { id: accountId, userId, hash }, session);
      const { organization_id: organizationId, role } = accepted;
      await insertMember(db, { _id: memberId, organization_id: organizationId, user_id: userId, role, created_at: at }, session);
      const entry = { id: auditId, actor: `user:${userId}`, action: 'invitation.accepted', targetType: 'invitation' };
      await recordAudit(
        context,
        { ...entry, organizationId, targetId: invitation._id, details: { email, role }, request: client.audit },
        session,
      );
    });
  await work().catch((error: unknown) => {
    if (isDuplicateKey(error, 'email')) throw hasAccount();
    throw error;
  });
}

const hasAccount = () => new DomainError('conflict', 'You have an account already: sign in, and accept the invitation.');
