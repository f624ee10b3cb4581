import { DomainError } from '@fanfare/errors';
import { APIError } from 'better-auth/api';
import { decodeJwt } from 'jose';
import type { Context } from '../context.ts';
import { findUserByEmail } from '../store/users.ts';
import { recordUserAudit } from './audit-user.ts';
import type { Client } from './client.ts';
import { foundPendingOrganization } from './found-organization.ts';
import { takeMailTry } from './throttle.ts';

/** @throws DomainError invalid_value, param `token` */
export async function verifyEmail(context: Context, token: string, client: Client): Promise<void> {
  try {
    await context.identity.betterAuth.api.verifyEmail({ query: { token } });
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    throw new DomainError('invalid_value', 'This link has expired, or is not one of ours.', { param: 'token' });
  }
  // better-auth has checked it; it does not tell whose it is when the address was confirmed before.
  const user = await findUserByEmail(context.db, String(decodeJwt(token)['email']));
  if (!user) return;
  await foundPendingOrganization(context, user._id, client);
  const entry = { actor: `user:${user._id}`, action: 'email.verified', targetType: 'user', targetId: user._id };
  await recordUserAudit(context, user._id, { ...entry, request: client.audit });
}

/** Sends the mail again, if there is such an account and its address is not confirmed; better-auth takes the same time for both. */
export async function resendVerification({ db, identity }: Context, email: string, client: Client): Promise<void> {
  await takeMailTry(db, email, client);
  await identity.betterAuth.api.sendVerificationEmail({ body: { email } });
}
