import { setTimeout as wait } from 'node:timers/promises';
import type { RaiseRestoreFenceRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { currentTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { PAUSES_TTL_MS } from '../pauses/create-pause-reader.ts';
import { putPause, RESTORE_PAUSE } from '../pauses/store/pauses.ts';
import { findRestoreFence, putRestoreFence, type RestoreFenceDocument } from './store/restore-fence.ts';
import { markRestored } from './store/restored-deliveries.ts';

/**
 * Returns when no delivery that may have been sent before can be sent.
 * @throws DomainError missing_field, invalid_value
 */
export async function raiseRestoreFence(
  { db }: Context,
  { since, until }: RaiseRestoreFenceRequest,
  { log, metadata: { actor } }: Call,
): Promise<RestoreFenceDocument> {
  const at = currentTime();
  if (!since) throw new DomainError('missing_field', 'Give the time of the backup.', { param: 'since' });
  if (since > at) throw new DomainError('invalid_value', 'The time of the backup must not be in the future.', { param: 'since' });
  if (until && (until < since || until > at)) {
    throw new DomainError('invalid_value', 'The time of the restoration must be between the time of the backup and now.', {
      param: 'until',
    });
  }
  const former = await findRestoreFence(db);
  const isSame = former?.since.getTime() === since.getTime();
  // What was restored from this backup was reconciled before.
  if (former?.lifted_at && isSame) return former;
  await putPause(db, { _id: RESTORE_PAUSE, reason: `A backup of ${since.toISOString()} was restored.` });
  // An interrupted command continues with the same end.
  const fence = former && isSame ? former : await putRestoreFence(db, { since, until: until ?? at });
  await wait(PAUSES_TTL_MS);
  await markRestored(db, fence, actor);
  log.warn({ since: fence.since, until: fence.until, actor }, 'the restore fence is raised: nothing is sent until it is lifted');
  return fence;
}
