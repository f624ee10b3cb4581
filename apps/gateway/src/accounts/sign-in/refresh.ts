import { DomainError } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { deleteSession, findSession, refreshSession, wasRefreshedWithin } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import type { Client } from './client.ts';
import { signedIn, type SignedIn } from './signed-in.ts';

/**
 * For this time, the token of the previous generation gets the same response again, because two tabs may refresh at the same time, or a response may be lost.
 * That does not help a thief: there is only one next token, and the second use of it ends the session.
 */
const REPEAT_MS = 10_000;

/**
 * Exchanges a refresh token for the next one. Each works once. If one is used again later, it was stolen, so the session ends.
 * @throws DomainError authentication_required
 */
export async function refresh(context: Context, token: string, client: Client): Promise<SignedIn> {
  const { db, identity } = context;
  const read = identity.refreshTokens.read(token);
  const session = read && (await findSession(db, read.sessionId));
  if (!session || !read.isOf(session)) throw invalid();
  const user = await findUser(db, session.user_id);
  if (!user || user.disabled_at) throw invalid();

  const refreshed = await refreshSession(db, session._id, read.generation, client);
  if (refreshed) return signedIn(context, user, refreshed);
  const current = await findSession(db, session._id);
  if (!current) throw invalid();
  const isRepeat = current.refresh_generation === read.generation + 1 && (await wasRefreshedWithin(db, session._id, REPEAT_MS));
  if (isRepeat) return signedIn(context, user, current);

  await deleteSession(db, user._id, session._id);
  await recordUserAudit(context, user._id, {
    actor: 'anonymous',
    action: 'session.token_reused',
    targetType: 'session',
    targetId: session._id,
    request: client.audit,
  });
  throw invalid();
}

const invalid = () =>
  new DomainError('authentication_required', 'This refresh token is invalid, expired or already used, or its session has ended.');
