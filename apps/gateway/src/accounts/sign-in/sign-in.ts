import { DomainError } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { foundPendingOrganization } from '../people/found-organization.ts';
import { countSignIn, findPasswordHash } from '../store/accounts.ts';
import { deleteSession, findSessionByToken } from '../store/sessions.ts';
import { findUserByEmail, findUser } from '../store/users.ts';
import { clientHeaders } from './better-auth.ts';
import type { Client } from './client.ts';
import { rejectDisabled } from './reject-disabled.ts';
import { signedIn, type SignedIn } from './signed-in.ts';
import { countPasswordAttempt } from '../throttle.ts';

/**
 * @param given the normalized email address and the password
 * @throws DomainError authentication_required, the same for every cause; rate_limit_exceeded
 */
export async function signIn(context: Context, given: { email: string; password: string }, client: Client): Promise<SignedIn> {
  const { db, identity } = context;
  const wasRight = await countPasswordAttempt(context, given.email, client);
  const known = await findUserByEmail(db, given.email);
  const hash = await findPasswordHash(db, known?._id ?? '');
  const token = await checkPassword(context, given, client);
  const session = await findSessionByToken(db, token);
  const user = session && (await findUser(db, session.user_id));
  if (!user) throw wrong();
  // The password may have been changed since it was checked, which ended the sessions of that time but not this one.
  if (hash === undefined || !(await countSignIn(db, user._id, hash))) {
    await deleteSession(db, user._id, session._id);
    throw wrong();
  }
  await wasRight();
  await rejectDisabled(context, user, session);
  await foundPendingOrganization(context, user._id, client);
  identity.later(() =>
    recordUserAudit(context, user._id, {
      actor: `user:${user._id}`,
      action: 'session.signed_in',
      targetType: 'session',
      targetId: session._id,
      details: { method: 'password' },
      request: client.audit,
    }),
  );
  return signedIn(context, user, session);
}

/** Returns the token of a new session. better-auth hashes the password even if the account does not exist. */
async function checkPassword(context: Context, given: { email: string; password: string }, client: Client): Promise<string> {
  try {
    const { token } = await (await context.identity.betterAuth()).api.signInEmail({ body: given, headers: clientHeaders(client) });
    return token;
  } catch (error) {
    const { APIError } = await import('better-auth/api');
    if (!(error instanceof APIError)) throw error;
    // Forbidden: the password is right, but a previous version created the account with an address that was never confirmed.
    if (error.status !== 'UNAUTHORIZED' && error.status !== 'FORBIDDEN') throw error;
    context.identity.later(() => recordFailure(context, given.email, client));
    throw wrong();
  }
}

const wrong = () => new DomainError('authentication_required', 'The email address or the password is wrong.');

async function recordFailure(context: Context, email: string, client: Client): Promise<void> {
  const user = await findUserByEmail(context.db, email);
  await recordUserAudit(context, user?._id, {
    actor: 'anonymous',
    action: 'session.sign_in_failed',
    ...(user && { targetType: 'user', targetId: user._id }),
    details: { email },
    request: client.audit,
  });
}
