import { DomainError } from '@fanfare/errors';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import { putPlan as put } from '../plans/put-plan.ts';
import { fromPlan } from '../store/plans.ts';
import type { Rpc } from './rpc.ts';

export const putPlan: Rpc<'putPlan'> =
  (context) =>
  async ({ plan }, { metadata }) => {
    if (!plan) throw new DomainError('missing_field', 'plan is required.', { param: 'plan' });
    const id = required('plan.id', plan.id);
    await put(context, fromPlan({ ...plan, id }), requestedBy(metadata));
    return { plan: { ...plan, id } };
  };
