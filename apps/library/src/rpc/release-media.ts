import { scopeOf } from '../scope.ts';
import { removeReservation } from '../media/store/reservations.ts';
import type { Rpc } from './rpc.ts';

/** Of this attempt alone: what events confirmed, and what other attempts reserved, stays. */
export const releaseMedia: Rpc<'releaseMedia'> =
  ({ db }) =>
  async ({ holder, operationId }, call) => {
    await removeReservation(db, scopeOf(call.metadata), { holder, operationId });
    return {};
  };
