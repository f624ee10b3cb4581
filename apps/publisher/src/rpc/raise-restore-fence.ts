import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import { PAUSES_TTL_MS } from '../pauses/create-pause-reader.ts';
import { putPause, RESTORE_PAUSE } from '../pauses/store/pauses.ts';
import { findRestoreFence, putRestoreFence } from '../restore/store/restore-fence.ts';
import { markRestored } from '../restore/store/restored-deliveries.ts';
import { toRestoreFence } from '../restore/to-restore-fence.ts';
import type { Rpc } from './rpc.ts';

/** Returns when no delivery that may have been sent before can be sent. */
export const raiseRestoreFence: Rpc<'raiseRestoreFence'> =
  ({ db }) =>
  async ({ since, until }, { log, metadata: { actor } }) => {
    const at = currentTime();
    if (!since) throw new DomainError('missing_field', 'Give the time of the backup.', { param: 'since' });
    if (since > at) throw new DomainError('invalid_value', 'It must not be in the future.', { param: 'since' });
    if (until && (until < since || until > at)) {
      throw new DomainError('invalid_value', 'It must be between the time of the backup and now.', { param: 'until' });
    }
    const former = await findRestoreFence(db);
    const isSame = former?.since.getTime() === since.getTime();
    // What was restored from this backup was reconciled before.
    if (former?.lifted_at && isSame) return { fence: await toRestoreFence(db, former) };
    await putPause(db, { _id: RESTORE_PAUSE, reason: `A backup of ${since.toISOString()} was restored.` });
    // An interrupted command continues with the same end.
    const fence = former && isSame ? former : await putRestoreFence(db, { since, until: until ?? at });
    await wait(PAUSES_TTL_MS);
    await markRestored(db, fence, actor);
    log.warn({ since: fence.since, until: fence.until, actor }, 'the restore fence is raised: nothing is sent until it is lifted');
    return { fence: await toRestoreFence(db, fence) };
  };
