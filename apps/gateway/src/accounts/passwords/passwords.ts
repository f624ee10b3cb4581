import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { atLeastMs } from '../people/at-least.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import type { Client } from '../sign-in/client.ts';
import { countMailRequest, countPasswordAttempt } from '../throttle.ts';
import { deletePasswordResets, findPasswordHash, putPasswordHash } from '../store/accounts.ts';
import { libraryMs } from '../store/database-time.ts';
import { deleteSessions } from '../store/sessions.ts';
import { findUser, markEmailVerified } from '../store/users.ts';
import { checkPasswordChoice } from './password-rules.ts';

/** The response time must not reveal whether a mail is sent. */
const FLOOR_MS = 300;

/** Mails a link if the account exists. @throws DomainError rate_limit_exceeded */
export async function forgotPassword({ db, identity }: Context, email: string, client: Client): Promise<void> {
  await countMailRequest(db, email, client);
  await atLeastMs(FLOOR_MS, async () => (await identity.betterAuth()).api.requestPasswordReset({ body: { email } }));
}

/** Ends all sessions and all other reset links. @throws DomainError invalid_value for the token or a weak password, rate_limit_exceeded */
export async function resetPassword(context: Context, given: { token: string; password: string }, client: Client): Promise<void> {
  const { db, mongo, identity } = context;
  const { proof, user } = await userOfReset(context, given.token);
  checkPasswordChoice(given.password, user.email);
  // Hashed before the token is used: if better-auth did both, it would use up the token even if no hashing slot is free.
  const { password } = await (await identity.betterAuth()).$context;
  const [hash, accountId, mailId] = [await password.hash(given.password), newId(), newId()];
  await transaction(mongo.client, async (session) => {
    if (!(await deletePasswordResets(db, user._id, proof.id, session))) throw invalidToken();
    await putPasswordHash(db, { id: accountId, userId: user._id, hash }, session);
    // Whoever received the mail owns the address.
    await markEmailVerified(db, user._id, session);
    await deleteSessions(db, user._id, undefined, session);
    await queueMail(context, { id: mailId, to: user.email, template: 'password_changed', data: { name: user.name } }, session);
  });
  await recordPasswordAudit(context, user._id, 'password.reset', client);
}

/** The user of a mailed reset token. @throws DomainError invalid_value, param `token` */
export async function userOfReset({ db, identity }: Context, token: string) {
  const { internalAdapter } = await (await identity.betterAuth()).$context;
  const proof = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  const user = proof && proof.expiresAt.getTime() > libraryMs() ? await findUser(db, proof.value) : null;
  if (!proof || !user) throw invalidToken();
  return { proof, user };
}

/** Ends all other sessions. @throws DomainError invalid_value, conflict, rate_limit_exceeded */
export async function changePassword(
  context: Context,
  who: { userId: string; sessionId: string },
  given: { current: string; password: string },
  client: Client,
): Promise<void> {
  const { db, mongo, identity } = context;
  const [user, known] = await Promise.all([findUser(db, who.userId), findPasswordHash(db, who.userId)]);
  if (!user || known === undefined) {
    throw new DomainError('conflict', 'Your account has no password. Set one with "Forgot password".');
  }
  const { password } = await (await identity.betterAuth()).$context;
  const wasRight = await countPasswordAttempt(context, user.email, client);
  if (!(await password.verify({ hash: known, password: given.current }))) {
    throw notCurrent();
  }
  await wasRight();
  checkPasswordChoice(given.password, user.email);

  const [hash, accountId, mailId] = [await password.hash(given.password), newId(), newId()];
  await transaction(mongo.client, async (session) => {
    // Of two concurrent changes with the same old password, the second one no longer has the current password.
    if ((await findPasswordHash(db, user._id, session)) !== known) throw notCurrent();
    await putPasswordHash(db, { id: accountId, userId: user._id, hash }, session);
    await deletePasswordResets(db, user._id, undefined, session);
    await deleteSessions(db, user._id, who.sessionId, session);
    await queueMail(context, { id: mailId, to: user.email, template: 'password_changed', data: { name: user.name } }, session);
  });
  await recordPasswordAudit(context, user._id, 'password.changed', client);
}

const recordPasswordAudit = (context: Context, userId: string, action: string, client: Client) =>
  recordUserAudit(context, userId, { actor: `user:${userId}`, action, targetType: 'user', targetId: userId, request: client.audit });

const notCurrent = () => new DomainError('invalid_value', 'current_password is wrong.', { param: 'current_password' });

const invalidToken = () => new DomainError('invalid_value', 'This link has expired or was already used.', { param: 'token' });
