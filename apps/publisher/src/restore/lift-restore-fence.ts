import { DomainError, notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { deletePause, RESTORE_PAUSE } from '../pauses/store/pauses.ts';
import { findRestoreFence, liftRestoreFence as lift, type RestoreFenceDocument } from './store/restore-fence.ts';
import { markRestored } from './store/restored-deliveries.ts';
import { toRestoreFence } from './to-restore-fence.ts';

/** @throws DomainError resource_not_found; conflict while deliveries are reconciled */
export async function liftRestoreFence({ db }: Context, { log, metadata: { actor } }: Call): Promise<RestoreFenceDocument> {
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
  return (await findRestoreFence(db)) ?? fence;
}
