import { transaction } from '@fanfare/mongo';
import { currentTime, newId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Client } from '../sign-in/client.ts';
import { insertMember } from '../store/members.ts';
import { insertOrganization } from '../store/organizations.ts';
import { DEFAULT_PLAN } from '../store/plans.ts';
import { takePendingOrganization } from '../store/users.ts';

/** Creates the organization that a user named at sign-up, after their address is confirmed. A repeat creates no second one. */
export async function foundPendingOrganization(context: Context, userId: string, client: Client): Promise<void> {
  const { db, mongo } = context;
  const organizationId = newId();
  await transaction(mongo.client, async (session) => {
    const name = await takePendingOrganization(db, userId, session);
    if (name === undefined) return;
    const at = currentTime();
    await insertOrganization(db, { _id: organizationId, name, plan_id: DEFAULT_PLAN._id, mode: 'live', created_at: at }, session);
    await insertMember(db, { _id: newId(), organization_id: organizationId, user_id: userId, role: 'owner', created_at: at }, session);
    const entry = { actor: `user:${userId}`, action: 'organization.created', targetType: 'organization', targetId: organizationId };
    await recordAudit(context, { ...entry, organizationId, details: { name }, request: client.audit }, session);
  });
}
