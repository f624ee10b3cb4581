import { scopeOf } from '../scope.ts';
import { removeReservation } from '../media/store/reservations.ts';
import type { Rpc } from './rpc.ts';

/** Releases only what this attempt reserved, not what events or other attempts did. */
export const releaseMedia: Rpc<'releaseMedia'> =
  ({ db }) =>
  async ({ holder, operationId }, call) => {
    await removeReservation(db, scopeOf(call.metadata), { holder, operationId });
    return {};
  };
