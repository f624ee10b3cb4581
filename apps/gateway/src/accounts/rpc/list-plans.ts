import { listPlans as list, toPlan } from '../store/plans.ts';
import type { Rpc } from './rpc.ts';

export const listPlans: Rpc<'listPlans'> =
  ({ db }) =>
  async () => ({ plans: (await list(db)).map(toPlan) });
