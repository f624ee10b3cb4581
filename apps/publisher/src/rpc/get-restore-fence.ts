import { notFound } from '@fanfare/errors';
import { findRestoreFence } from '../restore/store/restore-fence.ts';
import { toRestoreFence } from '../restore/to-restore-fence.ts';
import type { Rpc } from './rpc.ts';

export const getRestoreFence: Rpc<'getRestoreFence'> =
  ({ db }) =>
  async () => {
    const fence = await findRestoreFence(db);
    if (!fence) throw notFound('restore fence');
    return { fence: await toRestoreFence(db, fence) };
  };
