import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditEntry } from '../audit/audit.ts';
import { listOrganizationIdsOnPlan } from '../store/organizations.ts';
import { findPlan, putPlan as put, type PlanDocument } from '../store/plans.ts';

/**
 * Creates or replaces a plan. A change is recorded in the audit log of each organization that has the plan.
 * @throws DomainError invalid_value if a limit is negative
 */
export async function putPlan(context: Context, plan: PlanDocument, by: Pick<AuditEntry, 'actor' | 'request'>): Promise<void> {
  const { db, mongo } = context;
  for (const [name, value] of Object.entries(plan)) {
    if (typeof value === 'number' && value < 0) {
      throw new DomainError('invalid_value', `${name} must not be negative.`, { param: `plan.${name}` });
    }
  }
  await transaction(mongo.client, async (session) => {
    const before = await findPlan(db, plan._id, session);
    await put(db, plan, session);
    const details = before ? differences(before, plan) : {};
    if (Object.keys(details).length === 0) return;
    const entry = { action: 'plan.changed', targetType: 'plan', targetId: plan._id, details };
    for (const organizationId of await listOrganizationIdsOnPlan(db, plan._id, session)) {
      await recordAudit(context, { organizationId, ...entry, ...by }, session);
    }
  });
}

function differences(before: PlanDocument, after: PlanDocument): Record<string, string> {
  const written = (value: PlanDocument[keyof PlanDocument]) => (value === undefined ? 'default' : String(value));
  const names = Object.keys({ ...before, ...after }) as (keyof PlanDocument)[];
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, `${written(before[name])} → ${written(after[name])}`]),
  );
}
