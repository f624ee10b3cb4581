import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditEntry } from './audit.ts';
import { listOrganizationIds } from '../store/members.ts';

/** Writes down what somebody did, or what was done to them, as a person, in each of their organizations: each has to answer for its people. */
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
