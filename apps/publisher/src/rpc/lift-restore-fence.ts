import { liftRestoreFence as lift } from '../restore/lift-restore-fence.ts';
import { toRestoreFence } from '../restore/to-restore-fence.ts';
import type { Rpc } from './rpc.ts';

export const liftRestoreFence: Rpc<'liftRestoreFence'> = (context) => async (_request, call) => ({
  fence: await toRestoreFence(context.db, await lift(context, call)),
});
