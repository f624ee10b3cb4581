import { DomainError, notFound } from '@fanfare/errors';
import { deletePause, RESTORE_PAUSE } from '../pauses/store/pauses.ts';
import { findRestoreFence, liftRestoreFence as lift } from '../restore/store/restore-fence.ts';
import { markRestored } from '../restore/store/restored-deliveries.ts';
import { toRestoreFence } from '../restore/to-restore-fence.ts';
import type { Rpc } from './rpc.ts';

export const liftRestoreFence: Rpc<'liftRestoreFence'> =
  ({ db }) =>
  async (_request, { log, metadata: { actor } }) => {
    const fence = await findRestoreFence(db);
    if (!fence) throw notFound('restore fence');
    if (!fence.lifted_at) {
      await markRestored(db, fence, actor);
      const { checking } = await toRestoreFence(db, fence);
      if (checking > 0) throw new DomainError('conflict', `${checking} deliveries are not reconciled yet.`);
      await lift(db);
      log.warn({ since: fence.since, until: fence.until, actor }, 'the restore fence is lifted');
    }
    await deletePause(db, RESTORE_PAUSE);
    return { fence: await toRestoreFence(db, (await findRestoreFence(db)) ?? fence) };
  };
