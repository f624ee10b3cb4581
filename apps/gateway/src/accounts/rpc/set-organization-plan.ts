import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit } from '../audit/audit.ts';
import { setOrganizationPlan as setPlan, toOrganization } from '../store/organizations.ts';
import { findPlan } from '../store/plans.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import type { Rpc } from './rpc.ts';

export const setOrganizationPlan: Rpc<'setOrganizationPlan'> =
  (context) =>
  async ({ organizationId, plan }, { metadata }) => {
    const { db, mongo } = context;
    if (!(await findPlan(db, plan))) throw new DomainError('invalid_value', `Plan "${plan}" not found.`, { param: 'plan' });
    return transaction(mongo.client, async (session) => {
      const before = await setPlan(db, organizationId, plan, session);
      if (!before) throw notFound('organization');
      if (before.plan_id !== plan) {
        const entry = {
          organizationId,
          action: 'organization.plan_changed',
          targetType: 'organization',
          targetId: organizationId,
          details: { from: before.plan_id, to: plan },
          ...requestedBy(metadata),
        };
        await recordAudit(context, entry, session);
      }
      return { organization: toOrganization({ ...before, plan_id: plan }) };
    });
  };
