import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { AuditRequest } from '../audit/audit.ts';
import { recordUserAudit } from '../audit/audit-user.ts';
import { listOrganizationIds } from '../store/members.ts';
import { deleteSessions } from '../store/sessions.ts';
import { disableUser as disable, enableUser as enable } from '../store/users.ts';
import { revokeKeysOf, type EndedKey } from './end-keys.ts';
import { cancelInvitationsOf } from './members.ts';

/** The user whom an operator disables or enables. */
interface Disabled {
  readonly userId: string;
  readonly actor: string;
  readonly request: AuditRequest;
}

/**
 * Ends the sessions of a user, who can sign in no more, the keys that they are responsible for, and the invitations that they sent.
 * @returns the ids of the revoked keys
 * @throws DomainError resource_not_found
 */
export async function disableUser(
  context: Context,
  disabled: Disabled,
  { reason, keepKeys }: { readonly reason: string; readonly keepKeys: boolean },
): Promise<string[]> {
  const { db, mongo } = context;
  const { userId, actor, request } = disabled;
  const revokedKeyIds = await transaction(mongo.client, async (session) => {
    const before = await disable(db, userId, reason, session);
    if (!before) throw notFound('user');
    const ended = keepKeys ? [] : await endWhatTheyManage(context, disabled, session);
    const revoked = ended.map(({ key }) => key._id);
    if (before.disabled_at) return revoked;
    await recordUserAudit(context, userId, { action: 'user.disabled', targetType: 'user', targetId: userId, actor, request }, session);
    return revoked;
  });
  // After the commit, so that no session is missed: later sign-ins are rejected, and earlier sessions are found here.
  await deleteSessions(db, userId);
  return revokedKeyIds;
}

/** With keys that they know they could continue, and with invitations that they sent they could come back. */
async function endWhatTheyManage(context: Context, { userId, actor, request }: Disabled, session: ClientSession): Promise<EndedKey[]> {
  const ended: EndedKey[] = [];
  for (const organizationId of await listOrganizationIds(context.db, userId, session)) {
    const ending = { organizationId, of: `user:${userId}`, actor, request };
    await cancelInvitationsOf(context, ending, session);
    ended.push(...(await revokeKeysOf(context, ending, session)));
  }
  return ended;
}

/** Lets a disabled user sign in again. @throws DomainError resource_not_found */
export async function enableUser(context: Context, { userId, actor, request }: Disabled): Promise<void> {
  await transaction(context.mongo.client, async (session) => {
    const before = await enable(context.db, userId, session);
    if (!before) throw notFound('user');
    if (!before.disabled_at) return;
    await recordUserAudit(context, userId, { action: 'user.enabled', targetType: 'user', targetId: userId, actor, request }, session);
  });
}
