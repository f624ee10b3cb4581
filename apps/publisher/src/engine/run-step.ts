import { PlatformFailure, type FollowUp, type Step, type StepResult } from '@fanfare/connectors';
import { deadlineIn, now } from '@fanfare/runtime';
import { attemptEntry, stepEntry } from '../deliveries/domain/delivery-entries.ts';
import { fingerprint } from '../deliveries/domain/fingerprint.ts';
import type { Change } from '../deliveries/delivery.ts';
import { beginCommit, saveDelivery, withEntries, withStep } from '../deliveries/store/deliveries.ts';
import { deliverySteps } from '../metrics.ts';
import { afterFailure, afterFollowUpFailure, giveUpFollowUp } from './after-failure.ts';
import { CONFIRMING, endPublished, type Outcome } from './outcome.ts';
import { quotaFailureOf } from './reserve-quota.ts';
import { callFor, type Run } from './run.ts';

/** Stores what must be in the row before the step's first byte may be sent: that the commit, or a visible follow-up, begins now. */
export async function beginStep(run: Run, step: Step): Promise<Run> {
  const { context, connector, content, delivery } = run;
  if (step.kind === 'commit') {
    const timeoutMs = connector.publish.commitTimeoutMs * context.config.deadlineScale;
    const settleMs = connector.publish.settleMs * context.config.timeScale;
    // Counted from before it is written, so that the deadline that the row shows is never the earlier of the two.
    const commitDeadline = deadlineIn(timeoutMs);
    const recorded = withEntries(delivery, [
      attemptEntry(delivery.attempts + 1, new Date(now(delivery.organization_id).getTime() + timeoutMs)),
    ]);
    const begun = await beginCommit(context.db, recorded, { timeoutMs, settleMs, fingerprint: fingerprint(content) });
    return { ...run, delivery: begun, commitDeadline };
  }
  if (step.kind === 'follow_up' && !step.repeatable) {
    return { ...run, delivery: await saveDelivery(context.db, delivery, { begun_follow_up: step.name }) };
  }
  return run;
}

/** Runs the step and returns its failure: an internal error is treated with the same care as a lost response. */
export async function runStep(run: Run, step: Step): Promise<StepResult | PlatformFailure> {
  const stop = deliverySteps.startTimer({ platform: run.delivery.platform, step: step.name });
  const result = await resultOf(run, step);
  stop({ outcome: labelOf(step, result) });
  return result;
}

async function resultOf(run: Run, step: Step): Promise<StepResult | PlatformFailure> {
  let isSent = step.kind !== 'commit';
  try {
    return await step.run(callFor(run, () => (isSent = true)));
  } catch (error) {
    const failure = asFailure(run, step, error);
    return isSent ? failure : unsent(failure);
  }
}

function asFailure(run: Run, step: Step, error: unknown): PlatformFailure {
  if (error instanceof PlatformFailure) return error;
  run.log.error({ err: error, step: step.name }, 'a step failed with an internal error');
  return new PlatformFailure('transient', 'An internal error occurred.', { effect: 'unknown', cause: error });
}

/** A failure before the first byte of the commit was sent: nothing can have been published. */
function unsent(failure: PlatformFailure): PlatformFailure {
  if (failure.effect !== 'unknown') return failure;
  const { message, detail, retryAfterMs, cause } = failure;
  return new PlatformFailure(failure.class, message, { effect: 'not_sent', detail, retryAfterMs, cause });
}

/** The run with the result of the step, which is written with the outcome. */
export function withResult(run: Run, step: Step, result: StepResult | PlatformFailure): Run {
  const label = labelOf(step, result);
  const entry = stepEntry(step, label, result instanceof PlatformFailure ? result : undefined);
  const delivery = withStep(run.delivery, step.name, label);
  return { ...run, delivery: isStillProcessing(run, step, result) ? delivery : withEntries(delivery, [entry]) };
}

/** Whether the platform said again that it is still processing the post: only the first such response, and the one that ends it, get an entry. */
const isStillProcessing = ({ delivery }: Run, step: Step, result: StepResult | PlatformFailure): boolean =>
  !(result instanceof PlatformFailure) && result.waitMs !== undefined && delivery.steps?.[step.name]?.outcome === 'ok';

const labelOf = (step: Step, result: StepResult | PlatformFailure): string =>
  !(result instanceof PlatformFailure) ? 'ok' : isAmbiguous(step, result) ? 'lost' : result.class;

/** Whether the platform may have the post, and we do not know. */
const isAmbiguous = (step: Step, failure: PlatformFailure): boolean => step.kind === 'commit' && failure.effect === 'unknown';

/** The outcome of the step's result. */
export async function outcomeOf(run: Run, step: Step, result: StepResult | PlatformFailure): Promise<Outcome> {
  if (!(result instanceof PlatformFailure)) return afterSuccess(run, step, result);
  if (step.kind === 'follow_up') return afterFollowUpFailure(run, step, result);
  const quotaFailure = quotaFailureOf(run, step, result);
  return {
    ...(isAmbiguous(step, result) ? afterLostResponse(run, step, result) : await afterFailure(run, result)),
    ...(quotaFailure && { quotaFailure }),
  };
}

function afterLostResponse(run: Run, step: Step, result: PlatformFailure): Outcome {
  run.log.warn({ err: result, step: step.name }, 'the response to a commit is lost; it will be reconciled');
  // Nothing more of it is sent, so there is no deadline to wait for; the platform may still be processing it.
  const until = { inMs: run.connector.publish.settleMs };
  return { kind: 'wait', until, settlesCommit: true, waiting: { ...CONFIRMING, isEndKnown: true } };
}

function afterSuccess({ connector, content, delivery }: Run, step: Step, { state, waitMs, publishId }: StepResult): Outcome {
  const isCommit = step.kind === 'commit';
  const change: Change = {
    ...(isCommit && { commit: undefined, published_at: now(delivery.organization_id), publish_id: publishId }),
    ...(step.kind === 'follow_up' && { begun_follow_up: undefined }),
    state,
    failures: 0,
    unsent: undefined,
  };
  const next = waitMs === undefined ? connector.publish.next(content, state) : undefined;
  // Nothing is left to do: that is written together with the end.
  if (next && 'published' in next) return endPublished(next.published, change);
  // If a wait was reported, report that the delivery continues. The result of a commit is written alone.
  const changed: Change = delivery.waiting && !isCommit ? { ...change, waiting: undefined } : change;
  // A step that ran before is repeated until the platform has processed the post; it got an entry when it began.
  const why = (delivery.steps?.[step.name]?.runs ?? 1) > 1 ? undefined : { reason: 'processing' };
  if (waitMs !== undefined) return { kind: 'wait', until: { inMs: waitMs }, change: changed, ...(why && { why }) };
  // The token works; if it is rejected later, it has expired since.
  return { kind: 'continue', change: changed, run: { tokens: 'usable' } };
}

/** Gives up a visible follow-up of a post that was found after a backup was restored: it may have been made before. */
export function giveUpRestoredFollowUp({ delivery }: Run, step: FollowUp): Outcome | undefined {
  if (step.repeatable || delivery.restored?.result !== 'found') return undefined;
  return giveUpFollowUp(withStep(delivery, step.name, 'given_up'), step, 'unknown');
}

/** Gives up a visible follow-up that a dead process began: it is not begun again. */
export function giveUpBegunFollowUp({ delivery }: Run, step: FollowUp): Outcome | undefined {
  if (step.repeatable || delivery.begun_follow_up !== step.name) return undefined;
  deliverySteps.observe({ platform: delivery.platform, step: step.name, outcome: 'given_up' }, 0);
  const outcome = giveUpFollowUp(withStep(delivery, step.name, 'given_up'), step, 'unknown');
  return { ...outcome, entries: [stepEntry(step, 'given_up')] };
}
