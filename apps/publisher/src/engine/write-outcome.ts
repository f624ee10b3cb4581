import { LeaseLost } from '@fanfare/leased-work';
import { backoffMs, now } from '@fanfare/runtime';
import { endEntry, waitEntry } from '../deliveries/domain/delivery-entries.ts';
import { noteFailure } from '../quotas/note-failure.ts';
import { returnQuotas } from '../quotas/return-quotas.ts';
import type { Change, DeliveryDocument, LeasedDelivery } from '../deliveries/delivery.ts';
import {
  deliveryRows,
  isPublishIdTaken,
  releasingUntilOthers,
  releasing,
  saveDelivery,
  saving,
  withEntries,
} from '../deliveries/store/deliveries.ts';
import { deliveriesEnded, ambiguousCommits, publishLag } from '../metrics.ts';
import type { ReachedState } from '../strategies/domain/publication.ts';
import { WAITS_FOR_ITS_TURN, WAITS_FOR_OTHERS } from '../strategies/domain/reason.ts';
import type { End, Outcome, Wait } from './outcome.ts';
import type { Leased } from './run.ts';
import { saveAndEmit, writeAndEmit } from './save-and-emit.ts';
import { writeTogether } from './write-together.ts';

/** About a minute in all. */
const MAX_WRITES = 12;
/** A row with more entries is written more slowly. */
const MOST_ENTRIES = 20;

/**
 * Writes an outcome in one write, and counts and logs ended deliveries. Nothing else writes the result of a step.
 * @returns the delivery to continue with; undefined when this process has released it
 * @throws LeaseLost
 */
export async function writeOutcome(leased: Leased, outcome: Outcome): Promise<LeasedDelivery | undefined> {
  let after: LeasedDelivery;
  try {
    after = await insist(leased, () => write(leased, outcome));
  } catch (error) {
    if (!outcome.ifTaken || !isPublishIdTaken(error)) throw error;
    return writeOutcome(leased, { ...outcome.ifTaken, entries: [...(outcome.entries ?? []), ...(outcome.ifTaken.entries ?? [])] });
  }
  if (outcome.finding) ambiguousCommits.inc({ platform: after.platform, finding: outcome.finding });
  if (outcome.quotaFailure) await noteFailure(leased, outcome.quotaFailure);
  // Only now: a crash in between loses the reservation until the window ends, and never exceeds the quota.
  if (freesQuotas(outcome)) await returnQuotas(leased.context, leased.delivery);
  if (outcome.kind === 'end') report(leased, outcome, after);
  return outcome.kind === 'continue' ? after : undefined;
}

/**
 * Only this process knows the response to a commit: it retries while the database is unavailable, as long as the lease may still be ours. A successor
 * that finds the commit without a result only reads the platform.
 */
async function insist<T>({ delivery, log }: Leased, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isWorthIt = delivery.commit !== undefined && attempt < MAX_WRITES;
      if (!isWorthIt || error instanceof LeaseLost || isPublishIdTaken(error)) throw error;
      log.error({ err: error, attempt }, 'the result of a commit cannot be stored yet');
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt)));
    }
  }
}

async function write({ context, delivery: before }: Leased, outcome: Outcome): Promise<LeasedDelivery> {
  const delivery = withEntries(before, outcome.entries);
  switch (outcome.kind) {
    case 'continue':
      if (!outcome.change) return delivery;
      return isReported(outcome.change) || isFull(delivery)
        ? saveAndEmit(context, delivery, outcome.change)
        : saveDelivery(context.db, delivery, outcome.change);
    case 'wait':
      return writeWait({ context, delivery }, outcome);
    case 'wait_for_others': {
      if (delivery.stage !== 'preparing') return deliveryRows.write(context.db, releasingUntilOthers(delivery));
      const waiting = { reason: 'others', message: WAITS_FOR_ITS_TURN } as const;
      const prepared = withEntries(delivery, [waitEntry('others', undefined, waiting.message)]);
      return writeTogether(
        context,
        releasingUntilOthers(prepared, { stage: 'prepared', waiting, revision: delivery.revision + 1 }),
        'prepared',
      );
    }
    case 'end': {
      const change = changeOfEnd({ context, delivery }, outcome);
      const ended = withEntries(delivery, [endEntry(change)]);
      if (!delivery.strategy) return saveAndEmit(context, ended, change);
      return writeTogether(
        context,
        saving(ended, { ...untilOthers(delivery, change), revision: delivery.revision + 1 }),
        stateAfter(outcome),
      );
    }
  }
}

function stateAfter(end: End): ReachedState {
  if (end.status === 'published') return 'published';
  return end.errorType === 'unknown_outcome' ? 'unknown' : 'failed';
}

function writeWait(
  { context, delivery }: Omit<Leased, 'log'>,
  { until, waiting, why = waiting, settlesCommit, change = {} }: Wait,
): Promise<DeliveryDocument> {
  const ms = 'at' in until ? undefined : until.inMs * context.config.timeScale;
  const endsAt = waiting?.isEndKnown === false || ms === undefined ? undefined : new Date(now(delivery.organization_id).getTime() + ms);
  const scaled = 'at' in until ? until : followsClock({ ...delivery, ...change }, why?.reason) ? { inMs: ms ?? 0 } : { inRealMs: ms ?? 0 };
  const recorded = why ? withEntries(delivery, [waitEntry(why.reason, endsAt, why.message)]) : delivery;
  const release = (more: Change) => releasing(recorded, scaled, { change: { ...change, ...more }, waiting, settlesCommit });
  return waiting || isReported(change) || isFull(delivery)
    ? writeAndEmit(context, release({ revision: delivery.revision + 1 }))
    : deliveryRows.write(context.db, release({}));
}

/**
 * Whether a test clock can end the wait: it is for a limit, or between attempts. What waits for a platform to process something, for an operator or for our own
 * services takes real time, and so does finding out what became of a commit. One that the platform rejected has no commit any more.
 */
const followsClock = ({ commit }: Pick<Change, 'commit'>, reason: string | undefined): boolean =>
  commit === undefined && (reason === 'rate_limited' || reason === 'retry');

function changeOfEnd({ context, delivery }: Omit<Leased, 'log'>, { change = {}, ...end }: End): Change {
  const ended = { ...change, open: false, state: {}, waiting: undefined };
  if (end.status === 'failed') {
    return {
      ...ended,
      status: 'DELIVERY_STATUS_FAILED',
      // Warnings belong to a published post.
      ...(end.errorType !== 'unknown_outcome' && { commit: undefined, warnings: [] }),
      error_type: end.errorType,
      error_message: end.message,
    };
  }
  const { publishId, postUrl, warning } = end.published;
  const warnings = change.warnings ?? delivery.warnings;
  return {
    ...ended,
    status: 'DELIVERY_STATUS_SUCCESS',
    commit: undefined,
    publish_id: publishId,
    post_url: postUrl && context.platforms.publicUrl(postUrl),
    published_at: change.published_at ?? delivery.published_at ?? now(delivery.organization_id),
    warnings: warning === undefined ? warnings : [...warnings, warning],
  };
}

/** What callers may rely on is reported when it is certain: with `all_or_nothing`, a success may be followed by a removal until the others are public too. */
const untilOthers = ({ strategy }: DeliveryDocument, change: Change): Change =>
  strategy === 'all_or_nothing' && change.status === 'DELIVERY_STATUS_SUCCESS'
    ? { ...change, status: 'DELIVERY_STATUS_PROCESSING', waiting: { reason: 'others', message: WAITS_FOR_OTHERS } }
    : change;

/** Whether the row has so many entries of its timeline that they are moved to the ledger now. The event that is emitted with it says nothing new. */
const isFull = ({ entries = [] }: LeasedDelivery): boolean => entries.length >= MOST_ENTRIES;

/** Whether the change is emitted as an event. */
const isReported = (change: Change): boolean => 'waiting' in change;

/** Whether reservations are returned: the row no longer contains them, or the delivery certainly ends without a post. */
const freesQuotas = (outcome: Outcome): boolean =>
  outcome.kind === 'end'
    ? outcome.status === 'failed' && outcome.errorType !== 'unknown_outcome'
    : outcome.change !== undefined && 'budgets_held' in outcome.change && outcome.change.budgets_held === undefined;

function report({ log }: Leased, end: End, { platform, attempts, ...after }: DeliveryDocument): void {
  if (end.status === 'failed') {
    deliveriesEnded.inc({ platform, outcome: end.errorType });
    log.warn({ error_type: end.errorType, error_message: end.message, attempts }, 'delivery failed');
    return;
  }
  const lagMs = Math.max(0, (after.published_at ?? after.due_at).getTime() - after.due_at.getTime());
  publishLag.observe({ platform }, lagMs / 1000);
  deliveriesEnded.inc({ platform, outcome: 'success' });
  log.info({ publish_id: after.publish_id, lag_ms: lagMs, attempts, warnings: after.warnings }, 'published');
}
