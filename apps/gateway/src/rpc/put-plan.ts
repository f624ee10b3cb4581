import { DomainError } from '@fanfare/errors';
import { fromPlan, putPlan as put } from '../store/plans.ts';
import { required } from './required.ts';
import type { Rpc } from './rpc.ts';

export const putPlan: Rpc<'putPlan'> =
  ({ db }) =>
  async ({ plan }) => {
    if (!plan) throw new DomainError('missing_field', 'plan is required.', { param: 'plan' });
    const document = fromPlan({ ...plan, id: required('plan.id', plan.id) });
    for (const [name, value] of Object.entries(document)) {
      if (typeof value === 'number' && value < 0) {
        throw new DomainError('invalid_value', `${name} must not be negative.`, { param: `plan.${name}` });
      }
    }
    await put(db, document);
    return { plan: { ...plan, id: document._id } };
  };
