import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit } from '../audit/audit.ts';
import { listOrganizationIdsOnPlan } from '../store/organizations.ts';
import { findPlan, fromPlan, putPlan as put, type PlanDocument } from '../store/plans.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

export const putPlan: Rpc<'putPlan'> =
  (context) =>
  async ({ plan }, { metadata }) => {
    const { db, mongo } = context;
    if (!plan) throw new DomainError('missing_field', 'plan is required.', { param: 'plan' });
    const document = fromPlan({ ...plan, id: required('plan.id', plan.id) });
    for (const [name, value] of Object.entries(document)) {
      if (typeof value === 'number' && value < 0) {
        throw new DomainError('invalid_value', `${name} must not be negative.`, { param: `plan.${name}` });
      }
    }
    await transaction(mongo.client, async (session) => {
      const before = await findPlan(db, document._id, session);
      await put(db, document, session);
      const details = before ? differences(before, document) : {};
      if (Object.keys(details).length === 0) return;
      // The change is recorded in the audit log of each organization that has the plan.
      const entry = { action: 'plan.changed', targetType: 'plan', targetId: document._id, details };
      for (const organizationId of await listOrganizationIdsOnPlan(db, document._id, session)) {
        await recordAudit(context, { organizationId, ...entry, ...requestedBy(metadata) }, session);
      }
    });
    return { plan: { ...plan, id: document._id } };
  };

function differences(before: PlanDocument, after: PlanDocument): Record<string, string> {
  const written = (value: PlanDocument[keyof PlanDocument]) => (value === undefined ? 'default' : String(value));
  const names = Object.keys({ ...before, ...after }) as (keyof PlanDocument)[];
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, `${written(before[name])} → ${written(after[name])}`]),
  );
}
