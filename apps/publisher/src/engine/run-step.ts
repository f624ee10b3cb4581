import { PlatformFailure, type FollowUp, type MainStep, type Step, type StepResult } from '@fanfare/connectors';
import { LeaseLost } from '@fanfare/leased-work';
import { backoffMs, currentTime, deadlineIn } from '@fanfare/runtime';
import { fingerprint } from '../deliveries/domain/fingerprint.ts';
import { deliverySteps } from '../metrics.ts';
import {
  beginCommit,
  releasingCommitted,
  releaseDelivery,
  saveDelivery,
  type Change,
  isPublishIdTaken,
  withStep,
} from '../deliveries/store/deliveries.ts';
import { endPublished } from './end.ts';
import { giveUpFollowUp, handleFailure, handleFollowUpFailure } from './handle-failure.ts';
import { heedFailure } from './hold-budget.ts';
import { move, tell } from './move.ts';
import { callFor, type Run } from './run.ts';

/** Runs one step and writes down what came of it. Answers whether this run goes on; if not, the delivery has ended or was given back. */
export async function runStep(run: Run, step: Step): Promise<boolean> {
  const stop = deliverySteps.startTimer({ platform: run.delivery.platform, step: step.name });
  const outcome = (label: string) => {
    stop({ outcome: label });
    run.delivery = withStep(run.delivery, step.name, label);
  };
  switch (step.kind) {
    case 'prepare':
      return prepare(run, step, outcome);
    case 'commit':
      return commit(run, step, outcome);
    case 'follow_up':
      return followUp(run, step, outcome);
  }
}

type Outcome = (label: string) => void;

/** About a minute in all. */
const MAX_SAVES = 12;

async function prepare(run: Run, step: MainStep, outcome: Outcome): Promise<boolean> {
  let result: StepResult;
  try {
    result = await step.run(callFor(run));
  } catch (error) {
    const failure = asFailure(run, step, error);
    outcome(failure.class);
    await heedFailure(run, step, failure);
    return handleFailure(run, failure);
  }
  outcome('ok');
  return save(run, result);
}

/**
 * The one call that makes the post public. Its deadline is counted from before it is written down, so that the one that the row shows is never
 * the earlier of the two.
 */
async function commit(run: Run, step: MainStep, outcome: Outcome): Promise<boolean> {
  const { context, connector } = run;
  const timeoutMs = connector.publish.commitTimeoutMs * context.config.deadlineScale;
  const settleMs = connector.publish.settleMs * context.config.timeScale;
  const deadline = deadlineIn(timeoutMs);
  run.delivery = await beginCommit(context.db, run.delivery, { timeoutMs, settleMs, fingerprint: fingerprint(run.content) });
  let result: StepResult;
  let isSent = false;
  try {
    result = await step.run(callFor(run, { deadline, onSent: () => (isSent = true) }));
  } catch (error) {
    const failure = ofCommit(asFailure(run, step, error), isSent);
    outcome(failure.effect === 'unknown' ? 'lost' : failure.class);
    await heedFailure(run, step, failure);
    if (failure.effect !== 'unknown') return handleFailure(run, failure);
    run.log.warn({ err: failure, step: step.name }, 'the answer to a commit is lost: the platform will be asked');
    // No byte of it leaves us any more, so there is no deadline to wait for; the platform may still be at work on it.
    await tell(context, releasingCommitted(run.delivery, settleMs));
    return false;
  }
  outcome('ok');
  return insist(run, () => saveOrEnd(run, result, { commit: undefined, published_at: currentTime(), publish_id: result.publishId }));
}

async function followUp(run: Run, step: FollowUp, outcome: Outcome): Promise<boolean> {
  if (!step.repeatable) {
    // Begun by somebody who did not live to say how it ended: others may see it already, so it is not begun again.
    if (run.delivery.begun_follow_up === step.name) {
      outcome('given_up');
      return giveUpFollowUp(run, step, 'unknown');
    }
    run.delivery = await saveDelivery(run.context.db, run.delivery, { begun_follow_up: step.name });
  }
  let result: StepResult;
  try {
    result = await step.run(callFor(run));
  } catch (error) {
    const failure = asFailure(run, step, error);
    outcome(failure.class);
    return handleFollowUpFailure(run, step, failure);
  }
  outcome('ok');
  return saveOrEnd(run, result, { begun_follow_up: undefined });
}

/**
 * The answer to a commit is known here and nowhere else: while the database is away it is kept, as long as the lease may still be ours. A successor
 * that finds the commit unanswered only reads.
 */
async function insist(run: Run, write: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof LeaseLost || isPublishIdTaken(error) || attempt >= MAX_SAVES) throw error;
      run.log.error({ err: error, attempt }, 'the answer to a commit cannot be written down yet');
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt)));
    }
  }
}

/** The post stands. Where nothing is left to do, that is written down together with the end. */
async function saveOrEnd(run: Run, result: StepResult, more: Change): Promise<boolean> {
  const next = result.waitMs === undefined ? run.connector.publish.next(run.content, result.state) : undefined;
  if (!next || !('published' in next)) return save(run, result, more);
  await endPublished(run, next.published, more);
  return false;
}

async function save(run: Run, { state, waitMs }: StepResult, more: Change = {}): Promise<boolean> {
  const { context } = run;
  const change = { ...more, state, failures: 0, unsent: undefined };
  // The token works. One that is refused later has come to its end since.
  run.refreshed = false;
  // Who was told that it waits hears that it goes on. An answer to a commit is written down with nothing beside it.
  const isToTell = run.delivery.waiting !== undefined && change.published_at === undefined;
  if (isToTell) run.delivery = await move(context, run.delivery, { ...change, waiting: undefined });
  if (waitMs === undefined) {
    if (!isToTell) run.delivery = await saveDelivery(context.db, run.delivery, change);
    return true;
  }
  await releaseDelivery(context.db, run.delivery, { inMs: waitMs * context.config.timeScale }, change);
  return false;
}

/** Whatever went wrong before the first byte of the commit itself left us: nothing can have happened. */
function ofCommit(failure: PlatformFailure, isSent: boolean): PlatformFailure {
  if (isSent || failure.effect !== 'unknown') return failure;
  const { message, detail, retryAfterMs, cause } = failure;
  return new PlatformFailure(failure.class, message, { effect: 'not_sent', detail, retryAfterMs, cause });
}

/** A bug of ours in a step is treated with the same care as a lost answer. */
function asFailure(run: Run, step: Step, error: unknown): PlatformFailure {
  if (error instanceof PlatformFailure) return error;
  run.log.error({ err: error, step: step.name }, 'a step failed on our side');
  return new PlatformFailure('transient', 'Something failed on our side.', { effect: 'unknown', cause: error });
}
