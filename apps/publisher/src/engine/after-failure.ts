import type { FollowUp, PlatformFailure } from '@fanfare/connectors';
import { now, realTime } from '@fanfare/runtime';
import { decide } from '../deliveries/domain/decide.ts';
import { fingerprint } from '../deliveries/domain/fingerprint.ts';
import { finalMessageOf, messageOf } from '../deliveries/domain/message-of.ts';
import type { Change, LeasedDelivery } from '../deliveries/delivery.ts';
import { withUnwritten } from '../deliveries/store/deliveries.ts';
import { findEarlierCommit } from '../deliveries/store/competing-commits.ts';
import { quotaUseOf } from '../quotas/quota-use.ts';
import { endFailed, giveUp, waitFor, type Continue, type Outcome } from './outcome.ts';
import type { Run } from './run.ts';

/** A repeatable follow-up is tried this often; the post is on the platform already. */
const MAX_FOLLOW_UP_FAILURES = 3;

/** The outcome when a step fails without effect: a commit that the delivery shows is known not to have happened. */
export async function afterFailure(run: Run, failure: PlatformFailure): Promise<Outcome> {
  const { context, delivery } = run;
  const isDuplicate = failure.class === 'duplicate';
  const committedAt =
    delivery.lost_commit_at ?? (isDuplicate ? await findEarlierCommit(context.db, delivery, fingerprint(run.content)) : undefined);
  const decision = decide(failure, {
    failures: delivery.failures,
    unsent: delivery.unsent ?? 0,
    refreshed: run.tokens === 'refreshed',
    committedBefore: committedAt !== undefined,
    dueForMs: now(delivery.organization_id).getTime() - delivery.due_at.getTime(),
    jitter: Math.random(),
  });
  run.log[levelOf(failure)](
    { failure: failure.class, effect: failure.effect, detail: failure.detail, message: failure.message, decision: decision.kind },
    'a step failed',
  );
  const change: Change = {
    commit: undefined,
    failures: delivery.failures + 1,
    unsent: (delivery.unsent ?? 0) + (failure.effect === 'not_sent' ? 1 : 0),
    ...(failure.retryFrom && { state: failure.retryFrom }),
    // The wait may be long, and others can use what it reserved of the platform's quotas.
    ...(failure.class === 'rate_limited' && { budgets_held: undefined }),
  };

  switch (decision.kind) {
    case 'retry':
      return waitFor(decision.inMs, { reason: reasonOf(failure), message: messageOf(failure) }, change);
    case 'find_published': {
      // As if the response to the first commit had been lost: the platform says that the content is there.
      const began_at = committedAt ?? realTime(delivery.organization_id, delivery.created_at);
      const print = fingerprint(run.content);
      const commit = { began_at, deadline_at: began_at, settled_at: began_at, fingerprint: print, finds: 0, failed_reads: 0 };
      return { kind: 'continue', change: { ...change, commit } };
    }
    case 'fail': {
      const isTooLong = decision.errorType === 'rate_limited';
      const message = isTooLong ? `${messageOf(failure)} The post cannot wait until this limit resets.` : finalMessageOf(failure);
      return giveUp(withUnwritten(delivery, { commit: undefined }), decision.errorType, message);
    }
    case 'refresh_token':
      return { kind: 'continue', change, run: { tokens: 'rejected' } };
  }
}

/**
 * The outcome when a follow-up fails. The post is published, whatever the failure, unless the platform itself says that the post was not
 * created.
 */
export async function afterFollowUpFailure(run: Run, step: FollowUp, failure: PlatformFailure): Promise<Outcome> {
  const { delivery, log } = run;
  log[levelOf(failure)](
    { step: step.name, failure: failure.class, effect: failure.effect, detail: failure.detail, message: failure.message },
    'a follow-up failed',
  );
  if (failure.retryFrom) return afterPostLost(run, failure);
  if (failure.class === 'media_processing_failed') return endFailed('media_failed', failure.message);
  const mayRepeat = step.repeatable || failure.effect !== 'unknown';
  if (mayRepeat && failure.class === 'token_expired' && run.tokens !== 'refreshed') {
    return { kind: 'continue', change: { begun_follow_up: undefined }, run: { tokens: 'rejected' } };
  }
  const isPassing = failure.class === 'transient' || failure.class === 'rate_limited';
  if (mayRepeat && isPassing && delivery.failures + 1 < MAX_FOLLOW_UP_FAILURES) {
    const inMs = failure.retryAfterMs ?? 2_000 * (delivery.failures + 1);
    const change = { failures: delivery.failures + 1, begun_follow_up: undefined };
    return waitFor(inMs, { reason: reasonOf(failure), message: messageOf(failure) }, change);
  }
  return giveUpFollowUp(delivery, step, mayRepeat ? failure : 'unknown');
}

/** Continues as if the commit had been rejected: there is no post. */
async function afterPostLost(run: Run, failure: PlatformFailure): Promise<Outcome> {
  const { context, delivery, integration } = run;
  const reservations = Object.keys(delivery.budgets_held ?? {});
  const uses = reservations.flatMap((name) => quotaUseOf(context, delivery, integration.account_id, name) ?? []);
  const unpublished = { published_at: undefined, publish_id: undefined, begun_follow_up: undefined };
  const outcome = await afterFailure({ ...run, delivery: withUnwritten(delivery, unpublished) }, failure);
  return { ...outcome, change: { ...unpublished, ...outcome.change }, quotaFailure: { failure, uses } };
}

/** Continues without it, with a warning: the platform's message, or that the result is unknown. */
export function giveUpFollowUp(delivery: LeasedDelivery, step: FollowUp, why: PlatformFailure | 'unknown'): Continue {
  const what = step.name.charAt(0).toUpperCase() + step.name.slice(1).replaceAll('_', ' ');
  const warning = `${what}: ${why === 'unknown' ? 'it is unknown whether this step succeeded, and it is not retried.' : messageOf(why)}`;
  const warnings = [...delivery.warnings, warning];
  return { kind: 'continue', change: { steps: delivery.steps, state: step.givenUp, begun_follow_up: undefined, failures: 0, warnings } };
}

/** Problems of our own access to the platform are errors: an operator has to fix them. */
const levelOf = ({ detail }: PlatformFailure) => (detail['operator'] === undefined ? 'warn' : 'error');

const reasonOf = (failure: PlatformFailure): 'rate_limited' | 'retry' => (failure.class === 'rate_limited' ? 'rate_limited' : 'retry');
