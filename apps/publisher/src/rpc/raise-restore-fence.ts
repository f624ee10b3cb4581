import { raiseRestoreFence as raise } from '../restore/raise-restore-fence.ts';
import { toRestoreFence } from '../restore/to-restore-fence.ts';
import type { Rpc } from './rpc.ts';

export const raiseRestoreFence: Rpc<'raiseRestoreFence'> = (context) => async (request, call) => ({
  fence: await toRestoreFence(context.db, await raise(context, request, call)),
});
