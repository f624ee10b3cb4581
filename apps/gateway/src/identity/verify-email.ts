import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { findPasswordHash } from '../store/accounts.ts';
import { findUser, findUserByEmail, markEmailVerified, type UserDocument } from '../store/users.ts';
import { atLeastMs } from './at-least.ts';
import { recordUserAudit } from './audit-user.ts';
import type { Client } from './client.ts';
import { foundPendingOrganization } from './found-organization.ts';
import { takeMailTry } from './throttle.ts';

/** Whether a mail is written must not show in how long the answer takes. */
const FLOOR_MS = 500;

/** @throws DomainError invalid_value, param `token` */
export async function verifyEmail(context: Context, token: string, client: Client): Promise<void> {
  const { db, mongo, identity } = context;
  const read = identity.verificationTokens.read(token);
  if (!read) throw invalid();
  const { userId } = read;
  // In one: another sign-up with the address must not put its password in between.
  const isFirst = await transaction(mongo.client, async (session) => {
    const user = await findUser(db, userId, session);
    const hash = await findPasswordHash(db, userId, session);
    if (!user || hash === undefined || !read.isOf(user, hash)) throw invalid();
    return markEmailVerified(db, userId, session);
  });
  await foundPendingOrganization(context, userId, client);
  if (!isFirst) return;
  const entry = { actor: `user:${userId}`, action: 'email.verified', targetType: 'user', targetId: userId };
  await recordUserAudit(context, userId, { ...entry, request: client.audit });
}

/** Sends the mail again, if there is such an account and its address is not confirmed. @throws DomainError rate_limit_exceeded */
export async function resendVerification(context: Context, email: string, client: Client): Promise<void> {
  const { db } = context;
  await takeMailTry(db, email, client);
  await atLeastMs(FLOOR_MS, async () => {
    const user = await findUserByEmail(db, email);
    const hash = user?.email_verified === false ? await findPasswordHash(db, user._id) : undefined;
    if (user && hash !== undefined) await sendVerification(context, user, hash, newId());
  });
}

export async function sendVerification(
  context: Context,
  user: UserDocument,
  passwordHash: string,
  mailId: string,
  session?: ClientSession,
): Promise<void> {
  const data = { name: user.name, token: context.identity.verificationTokens.of(user, passwordHash) };
  await queueMail(context, { id: mailId, to: user.email, template: 'verification', data }, session);
}

const invalid = () => new DomainError('invalid_value', 'This link has expired, or is not one of ours.', { param: 'token' });
