import { notFound } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { deleteSession, deleteSessions } from '../store/sessions.ts';
import type { Client } from './client.ts';

type Ending = Pick<Context, 'db'>;

/** The user who ends sessions of their own. */
interface Ender {
  readonly userId: string;
  readonly client: Client;
}

/** Ends the session of the request; nothing happens if it has ended already. */
export async function signOut(context: Ending, { userId, client }: Ender, sessionId: string): Promise<void> {
  await deleteSession(context.db, userId, sessionId);
  const entry = { actor: `user:${userId}`, action: 'session.signed_out', targetType: 'session', targetId: sessionId };
  await recordUserAudit(context, userId, { ...entry, request: client.audit });
}

/** @throws DomainError resource_not_found */
export async function endSession(context: Ending, { userId, client }: Ender, sessionId: string): Promise<void> {
  if (!(await deleteSession(context.db, userId, sessionId))) throw notFound('session');
  const entry = { actor: `user:${userId}`, action: 'session.ended', targetType: 'session', targetId: sessionId };
  await recordUserAudit(context, userId, { ...entry, request: client.audit });
}

export async function endOtherSessions(context: Ending, { userId, client }: Ender, keptSessionId: string): Promise<void> {
  await deleteSessions(context.db, userId, keptSessionId);
  const entry = { actor: `user:${userId}`, action: 'session.others_ended', targetType: 'user', targetId: userId };
  await recordUserAudit(context, userId, { ...entry, request: client.audit });
}
