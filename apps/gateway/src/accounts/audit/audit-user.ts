import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditEntry } from './audit.ts';
import { listOrganizationIds } from '../store/members.ts';

/** Records an action of a user, or one that concerns a user, in the audit log of each of their organizations. */
export async function recordUserAudit(
  context: Pick<Context, 'db'>,
  userId: string | undefined,
  entry: Omit<AuditEntry, 'organizationId'>,
  session?: ClientSession,
): Promise<void> {
  const organizationIds = userId === undefined ? [] : await listOrganizationIds(context.db, userId, session);
  for (const organizationId of organizationIds.length > 0 ? organizationIds : [null])
    await recordAudit(context, { ...entry, organizationId }, session);
}
