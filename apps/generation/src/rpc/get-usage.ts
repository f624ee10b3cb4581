import { now } from '@fanfare/runtime';
import { nextMonth, readUsage } from '../quota/store/usage.ts';
import type { Rpc } from './rpc.ts';

export const getUsage: Rpc<'getUsage'> =
  ({ db }) =>
  async (_request, { metadata: { organizationId } }) => {
    const at = now(organizationId);
    return { ...(await readUsage(db, organizationId, at)), resetAt: nextMonth(at) };
  };
