import type { FollowUp, PlatformFailure } from '@fanfare/connectors';
import { currentMs } from '@fanfare/runtime';
import { decide } from '../deliveries/domain/decide.ts';
import { fingerprint } from '../deliveries/domain/fingerprint.ts';
import { messageOf } from '../deliveries/domain/message-of.ts';
import { releaseDelivery, saveDelivery } from '../deliveries/store/deliveries.ts';
import { findForgottenCommit } from '../deliveries/store/rivals.ts';
import { endFailed, giveUp } from './end.ts';
import { giveBack } from '../budgets/give-back.ts';
import { heedFailure } from './hold-budget.ts';
import { REFRESH_PAUSE_MS, refreshTokens } from './refresh-tokens.ts';
import type { Run } from './run.ts';
import { wait } from './wait.ts';

/** A repeatable follow-up is tried this often; the post stands already. */
const MAX_FOLLOW_UP_FAILURES = 3;

/**
 * Acts on a failed step of which nothing came: a commit that the delivery shows is known not to have happened. Answers whether this run goes on.
 */
export async function handleFailure(run: Run, failure: PlatformFailure): Promise<boolean> {
  const { context, delivery } = run;
  const isDuplicate = failure.class === 'duplicate';
  const committedAt =
    delivery.lost_commit_at ?? (isDuplicate ? await findForgottenCommit(context.db, delivery, fingerprint(run.content)) : undefined);
  const decision = decide(failure, {
    failures: delivery.failures,
    unsent: delivery.unsent ?? 0,
    refreshed: run.refreshed,
    committedBefore: committedAt !== undefined,
    dueForMs: currentMs() - delivery.due_at.getTime(),
    jitter: Math.random(),
  });
  run.log[levelOf(failure)](
    { failure: failure.class, effect: failure.effect, detail: failure.detail, message: failure.message, decision: decision.kind },
    'a step failed',
  );
  const unsent = (delivery.unsent ?? 0) + (failure.effect === 'not_sent' ? 1 : 0);
  // It may wait for long, while others could use what it holds of the platform's budgets.
  const isLimited = failure.class === 'rate_limited';
  const change = {
    commit: undefined,
    failures: delivery.failures + 1,
    unsent,
    ...(failure.retryFrom && { state: failure.retryFrom }),
    ...(isLimited && { budgets_held: undefined }),
  };

  switch (decision.kind) {
    case 'retry':
      await wait(run, { inMs: decision.inMs, reason: reasonOf(failure), message: messageOf(failure) }, change);
      if (isLimited) await giveBack(context, delivery);
      return false;
    case 'find_published': {
      // As if the answer to the first commit had been lost: the platform says that the content is there.
      const began_at = committedAt ?? delivery.created_at;
      const print = fingerprint(run.content);
      const commit = { began_at, deadline_at: began_at, settled_at: began_at, fingerprint: print, finds: 0, failed_reads: 0 };
      await releaseDelivery(context.db, delivery, { inMs: 0 }, { ...change, commit });
      return false;
    }
    case 'fail': {
      const { commit: _, ...settled } = delivery;
      const isTooLong = decision.errorType === 'rate_limited';
      const message = isTooLong ? `${messageOf(failure)} This limit lasts longer than a post can wait.` : messageOf(failure);
      await giveUp(context, settled, run.log)(decision.errorType, message);
      return false;
    }
    case 'refresh_token':
      run.delivery = await saveDelivery(context.db, delivery, change);
      return refresh(run);
  }
}

async function refresh(run: Run): Promise<boolean> {
  const problem = await refreshTokens(run);
  if (problem === undefined) return true;
  if (problem !== 'under_way') return handleFailure(run, problem);
  await releaseDelivery(run.context.db, run.delivery, { inMs: REFRESH_PAUSE_MS * run.context.config.timeScale });
  return false;
}

/** The post stands: nothing that happens in a follow-up takes that back, unless the platform itself says that the post did not come about. */
export async function handleFollowUpFailure(run: Run, step: FollowUp, failure: PlatformFailure): Promise<boolean> {
  const { context, delivery } = run;
  run.log[levelOf(failure)](
    { step: step.name, failure: failure.class, effect: failure.effect, detail: failure.detail, message: failure.message },
    'a follow-up failed',
  );
  if (failure.retryFrom) {
    // As if the commit had been refused: there is no post that could stand.
    for (const [budget, { amount }] of Object.entries(delivery.budgets_held ?? {}))
      await heedFailure(run, { spends: { budget, amount } }, failure);
    run.delivery = await saveDelivery(context.db, delivery, { published_at: undefined, publish_id: undefined, begun_follow_up: undefined });
    return handleFailure(run, failure);
  }
  if (failure.class === 'media_processing_failed') {
    await endFailed(context, delivery, run.log)('media_failed', failure.message);
    return false;
  }
  const mayRepeat = step.repeatable || failure.effect !== 'unknown';
  if (mayRepeat && failure.class === 'token_expired' && !run.refreshed) {
    run.delivery = await saveDelivery(context.db, delivery, { begun_follow_up: undefined });
    return refresh(run);
  }
  const isPassing = failure.class === 'transient' || failure.class === 'rate_limited';
  if (mayRepeat && isPassing && delivery.failures + 1 < MAX_FOLLOW_UP_FAILURES) {
    const inMs = failure.retryAfterMs ?? 2_000 * (delivery.failures + 1);
    const change = { failures: delivery.failures + 1, begun_follow_up: undefined };
    await wait(run, { inMs, reason: reasonOf(failure), message: messageOf(failure) }, change);
    return false;
  }
  return giveUpFollowUp(run, step, mayRepeat ? failure : 'unknown');
}

/** Goes on without it, and says so: with the platform's words, or that nobody knows whether it happened. */
export async function giveUpFollowUp(run: Run, step: FollowUp, why: PlatformFailure | 'unknown'): Promise<boolean> {
  const what = step.name.charAt(0).toUpperCase() + step.name.slice(1).replaceAll('_', ' ');
  const warning = `${what}: ${why === 'unknown' ? 'it is not known whether this happened, and it is not tried again.' : messageOf(why)}`;
  run.delivery = await saveDelivery(run.context.db, run.delivery, {
    state: step.givenUp,
    begun_follow_up: undefined,
    failures: 0,
    warnings: [...run.delivery.warnings, warning],
  });
  return true;
}

/** What is wrong with our own access to the platform, an operator has to see to. */
const levelOf = ({ detail }: PlatformFailure) => (detail['operator'] === undefined ? 'warn' : 'error');

const reasonOf = (failure: PlatformFailure): 'rate_limited' | 'retry' => (failure.class === 'rate_limited' ? 'rate_limited' : 'retry');
