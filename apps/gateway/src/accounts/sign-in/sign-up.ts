import { DomainError } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { checkPasswordChoice } from '../passwords/password-rules.ts';
import { atLeastMs } from '../people/at-least.ts';
import { invitationOf } from '../people/invitations.ts';
import { putPasswordHash } from '../store/accounts.ts';
import { acceptInvitation } from '../store/invitations.ts';
import { insertMember } from '../store/members.ts';
import { deleteSessions } from '../store/sessions.ts';
import { countOpenSignUps, insertSignUp, SIGN_UP_MS } from '../store/sign-ups.ts';
import { claimUser, findUserByEmail, insertUser } from '../store/users.ts';
import type { Client } from './client.ts';
import { countMailRequest } from '../throttle.ts';
import { hasAccount, sendVerification } from './verify-email.ts';

interface Newcomer {
  readonly email: string;
  readonly name: string;
}

/** The response is the same whether or not the account exists; only the mail says it to its owner. */
const FLOOR_MS = 500;

/**
 * Signs up a person who has not proved that the address is theirs: they get a mail, and the account is created when they open its link. Each sign-up has its
 * own link, so that nobody can end or change the sign-up of another.
 * @throws DomainError permission_denied if only invited people may sign up, rate_limit_exceeded
 */
export async function signUp(context: Context, { email, name }: Newcomer, organizationName: string, client: Client): Promise<void> {
  const { config, db, mongo } = context;
  if (config.signUp !== 'open') throw new DomainError('permission_denied', 'Only invited people can sign up here.');
  await countMailRequest(db, email, client);
  const [id, mailId, at] = [newId(), newId(), currentTime()];
  const expires_at = new Date(at.getTime() + SIGN_UP_MS);
  await atLeastMs(FLOOR_MS, () =>
    transaction(mongo.client, async (session) => {
      const existing = await findUserByEmail(db, email, session);
      if (existing && existing.email_verified !== false) {
        await queueMail(context, { id: mailId, to: email, template: 'account_exists', data: { name: existing.name } }, session);
        return;
      }
      const isOnly = (await countOpenSignUps(db, email, session)) === 0;
      const made = { _id: id, email, name, organization_name: organizationName, created_at: at, expires_at };
      await insertSignUp(db, made, session);
      await sendVerification(context, made, { mailId, isOnly }, session);
    }),
  );
}

/**
 * Signs up a person with the token of an invitation, which was mailed to the address and so proves that it is theirs: they become a member immediately. An
 * earlier sign-up with the address that was not confirmed is overwritten.
 * @throws DomainError invalid_value for the token, another address or a weak password; conflict if the account exists already
 */
export async function signUpInvited(
  context: Context,
  who: Newcomer & { readonly password: string },
  invitationToken: string,
  client: Client,
): Promise<void> {
  const { db, mongo, identity } = context;
  const invitation = await invitationOf(context, invitationToken);
  if (invitation.email !== who.email) {
    throw new DomainError('invalid_value', 'The invitation is for another email address.', { param: 'email' });
  }
  checkPasswordChoice(who.password, who.email);
  const hash = await (await (await identity.betterAuth()).$context).password.hash(who.password);

  const { email, name } = who;
  const [newUserId, accountId, memberId, auditId, at] = [newId(), newId(), newId(), newId(), currentTime()];
  const work = () =>
    transaction(mongo.client, async (session) => {
      const accepted = await acceptInvitation(db, invitation._id, email, session);
      if (!accepted) throw new DomainError('invalid_value', 'This invitation is no longer pending.', { param: 'invitation_token' });
      const existing = await findUserByEmail(db, email, session);
      if (existing?.email_verified) throw hasAccount();
      const userId = existing?._id ?? newUserId;
      if (existing) {
        await claimUser(db, userId, { name, email_verified: true }, session);
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
    throw isDuplicateKey(error, 'email') ? hasAccount() : error;
  });
}
