import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditEntry } from '../audit/audit.ts';
import { setOrganizationPlan as setPlan, type OrganizationDocument } from '../store/organizations.ts';
import { findPlan } from '../store/plans.ts';

/** @throws DomainError invalid_value if there is no such plan; resource_not_found */
export async function setOrganizationPlan(
  context: Context,
  { organizationId, plan }: { readonly organizationId: string; readonly plan: string },
  by: Pick<AuditEntry, 'actor' | 'request'>,
): Promise<OrganizationDocument> {
  const { db, mongo } = context;
  if (!(await findPlan(db, plan))) throw new DomainError('invalid_value', `Plan "${plan}" not found.`, { param: 'plan' });
  return transaction(mongo.client, async (session) => {
    const before = await setPlan(db, organizationId, plan, session);
    if (!before) throw notFound('organization');
    if (before.plan_id !== plan) {
      const target = { targetType: 'organization', targetId: organizationId };
      const details = { from: before.plan_id, to: plan };
      await recordAudit(context, { organizationId, action: 'organization.plan_changed', ...target, details, ...by }, session);
    }
    return { ...before, plan_id: plan };
  });
}
