import { deletePause as end } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const deletePause: Rpc<'deletePause'> =
  ({ db }) =>
  async ({ id }, { log }) => {
    const existed = await end(db, id);
    if (existed) log.warn({ pause: id }, 'deliveries are resumed');
    return { existed };
  };
