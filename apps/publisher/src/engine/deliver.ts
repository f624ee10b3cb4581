import type { Step } from '@fanfare/connectors';
import { isClosed } from '@fanfare/erasure';
import type { Lease } from '@fanfare/leased-work';
import { realTime } from '@fanfare/runtime';
import { readIntegration } from '../accounts/store/integrations.ts';
import type { Context } from '../context.ts';
import { takeOverEntries } from '../deliveries/domain/delivery-entries.ts';
import { waitsForOthers, type DeliveryDocument } from '../deliveries/delivery.ts';
import { withEntries } from '../deliveries/store/deliveries.ts';
import { isPaused } from '../pauses/domain/paused.ts';
import { reasonOf } from '../strategies/domain/reason.ts';
import { findPublication } from '../strategies/store/publications.ts';
import { begin } from './begin.ts';
import {
  CONFIRMING,
  endFailed,
  endPublished,
  handBack,
  waitForOthers,
  waitForOpening,
  waitForPause,
  type Outcome,
  type Wait,
} from './outcome.ts';
import { prepare } from './prepare.ts';
import { reconcile } from './reconcile.ts';
import { refresh } from './refresh.ts';
import { reserveQuota } from './reserve-quota.ts';
import type { Run } from './run.ts';
import { beginStep, runStep, giveUpBegunFollowUp, giveUpRestoredFollowUp, outcomeOf, withResult } from './run-step.ts';
import { writeOutcome } from './write-outcome.ts';

/** After this time, the deliveries of a dead process are taken over. */
export const leaseMsOf = ({ config }: Context): number => 10_000 * config.deadlineScale;

/** Fields of every log line about a delivery. */
export const idsOf = ({ _id, post_id, organization_id, platform, flow_id }: DeliveryDocument) => ({
  delivery_id: _id,
  post_id,
  organization_id,
  platform,
  flow_id,
});

/**
 * Continues a delivery from its stored state until it ends, has to wait, or the process stops. Whatever happens here, another process can continue
 * from the row.
 */
export async function deliver(context: Context, { row: leasedRow, stopping, log }: Lease<DeliveryDocument>): Promise<void> {
  const row = withEntries(leasedRow, takeOverEntries(leasedRow));
  const outcome = untilSettled(context, row) ?? (await ifClosed(context, row)) ?? ifTooLate(context, row);
  if (outcome) return void (await writeOutcome({ context, log, delivery: row }, outcome));
  const integration = await readIntegration(context.db, row.integration_id);
  const leased = { context, log, delivery: await begin(context, row, integration) };
  const prepared = await prepare(leased, integration);
  if ('kind' in prepared) return void (await writeOutcome(leased, prepared));
  for (let run: Run | undefined = prepared; run;) run = await turn(run, stopping);
}

/** Before the settle time of a commit has passed, reading the platform is meaningless. */
function untilSettled(context: Context, row: DeliveryDocument): Wait | undefined {
  const { commit } = row;
  if (!commit || leasedAt(context, row) >= commit.settled_at) return undefined;
  const wait: Wait = { kind: 'wait', until: { at: commit.settled_at } };
  return row.waiting?.reason === CONFIRMING.reason ? wait : { ...wait, waiting: { ...CONFIRMING, isEndKnown: true } };
}

/** A commit is reconciled although its business is being deleted, and what follows a published post is done; nothing else begins. */
async function ifClosed({ closed }: Context, row: DeliveryDocument): Promise<Wait | undefined> {
  return !row.commit && !row.published_at && isClosed(await closed(), row) ? waitForOpening : undefined;
}

/** A delivery that has begun is carried on, however late. */
function ifTooLate(context: Context, row: DeliveryDocument): Outcome | undefined {
  const { status, publish_before: before, due_at } = row;
  if (status !== 'DELIVERY_STATUS_PENDING' || before === undefined || realTime(row.organization_id, before) >= leasedAt(context, row))
    return undefined;
  return endFailed(
    'too_late',
    `The post was due at ${due_at.toISOString()}. Publishing to this account could not start until ${before.toISOString()}, and was not started after that.`,
  );
}

/** By the database's clock. */
const leasedAt = (context: Context, { run_at }: DeliveryDocument): Date => new Date(run_at.getTime() - leaseMsOf(context));

/** Decides what comes next, does it, and writes the outcome. @returns the run of the next turn, if this process continues */
async function turn(run: Run, stopping: AbortSignal): Promise<Run | undefined> {
  const next = await nextOf(run, stopping);
  if ('kind' in next) return applyOutcome(run, next);
  const begun = await beginStep(run, next.step);
  const result = await runStep(begun, next.step);
  const ran = withResult(begun, next.step, result);
  return applyOutcome(ran, await outcomeOf(ran, next.step, result));
}

/** The connector's next step, or the outcome that has to come before it. */
async function nextOf(run: Run, stopping: AbortSignal): Promise<{ readonly step: Step } | Outcome> {
  const { context, connector, content, delivery } = run;
  if (run.tokens === 'expiring' || run.tokens === 'rejected') return refresh(run);
  if (delivery.commit) return reconcile(run, delivery.commit);
  // It waits for others, and was only leased because an operator made it due.
  if (waitsForOthers(delivery)) return waitForOthers;
  const next = connector.publish.next(content, delivery.state);
  if ('published' in next) return endPublished(next.published);
  if (stopping.aborted) return handBack;
  const { step } = next;
  if (step.kind === 'follow_up') return giveUpBegunFollowUp(run, step) ?? giveUpRestoredFollowUp(run, step) ?? next;
  const reservation = await reserveQuota(run, step);
  if (reservation) return reservation;
  if (step.kind === 'commit' && delivery.stage === 'preparing') return waitForOthers;
  const ended = step.kind === 'commit' && delivery.strategy === 'all_or_nothing' ? await afterOthers(run) : undefined;
  if (ended) return ended;
  // It may have been paused since it was leased. `putPause` returns when every process knows of the pause: nothing is published after that.
  if (step.kind === 'commit' && isPaused(await context.paused(), delivery)) return waitForPause(delivery);
  // The same for a closure: `setClosure` returns when every process knows of it.
  if (step.kind === 'commit' && isClosed(await context.closed(), delivery)) return waitForOpening;
  return next;
}

/** With `all_or_nothing`, nothing is made public any more when another one has failed: whoever stopped this delivery has ended its lease. */
async function afterOthers({ context, delivery }: Run): Promise<Outcome | undefined> {
  const publication = await findPublication(context.db, delivery.publication_id);
  if (!publication?.broken_by) return undefined;
  const { errorType, message } = reasonOf(publication);
  return endFailed(errorType, message);
}

async function applyOutcome(run: Run, outcome: Outcome): Promise<Run | undefined> {
  const delivery = await writeOutcome(run, outcome);
  if (!delivery) return undefined;
  const { context, log, connector, content, integration, tokens } = run;
  return { context, log, connector, content, integration, tokens, ...(outcome.kind === 'continue' && outcome.run), delivery };
}
