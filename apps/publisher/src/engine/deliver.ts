import type { Step } from '@fanfare/connectors';
import type { Lease } from '@fanfare/leased-work';
import { readIntegration } from '../accounts/store/integrations.ts';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/store/deliveries.ts';
import { isPaused } from '../pauses/domain/paused.ts';
import { begin } from './begin.ts';
import { endPublished, handBack, waitForPause, type Outcome, type Wait } from './outcome.ts';
import { prepare } from './prepare.ts';
import { reconcile } from './reconcile.ts';
import { refresh } from './refresh.ts';
import { reserveQuota } from './reserve-quota.ts';
import type { Run } from './run.ts';
import { beginStep, callPlatform, giveUpBegunFollowUp, outcomeOf, withResult } from './run-step.ts';
import { writeOutcome } from './write-outcome.ts';

/** A process that dies gives its deliveries up after this. */
export const leaseMsOf = ({ config }: Context): number => 10_000 * config.deadlineScale;

/** What stands in every log line about it. */
export const idsOf = ({ _id, post_id, organization_id, platform, flow_id }: DeliveryDocument) => ({
  delivery_id: _id,
  post_id,
  organization_id,
  platform,
  flow_id,
});

/**
 * Carries a delivery on from what is written until it ends, has to wait, or the process stops. Whatever happens in here, another process can go
 * on from the row.
 */
export async function deliver(context: Context, { row, stopping, log }: Lease<DeliveryDocument>): Promise<void> {
  const unsettled = untilSettled(context, row);
  if (unsettled) return void (await writeOutcome({ context, log, delivery: row }, unsettled));
  const integration = await readIntegration(context.db, row.integration_id);
  const leased = { context, log, delivery: await begin(context, row, integration) };
  const prepared = await prepare(leased, integration);
  if ('kind' in prepared) return void (await writeOutcome(leased, prepared));
  for (let run: Run | undefined = prepared; run;) run = await turn(run, stopping);
}

/** Before the settle time of a commit is over, reading the platform means nothing. */
function untilSettled(context: Context, { commit, run_at }: DeliveryDocument): Wait | undefined {
  // By the database's clock.
  const leasedAt = new Date(run_at.getTime() - leaseMsOf(context));
  return commit && leasedAt < commit.settled_at ? { kind: 'wait', until: { at: commit.settled_at } } : undefined;
}

/** Decides what comes next, does it, and writes what came of it. @returns what the next turn goes on with, if this process goes on */
async function turn(run: Run, stopping: AbortSignal): Promise<Run | undefined> {
  const next = await nextOf(run, stopping);
  if ('kind' in next) return applyOutcome(run, next);
  const begun = await beginStep(run, next.step);
  const result = await callPlatform(begun, next.step);
  const ran = withResult(begun, next.step, result);
  return applyOutcome(ran, await outcomeOf(ran, next.step, result));
}

/** The step of the connector's that comes next, or what has to happen before one can run. */
async function nextOf(run: Run, stopping: AbortSignal): Promise<{ readonly step: Step } | Outcome> {
  const { context, connector, content, delivery } = run;
  if (run.tokens === 'expiring' || run.tokens === 'refused') return refresh(run);
  if (delivery.commit) return reconcile(run, delivery.commit);
  const next = connector.publish.next(content, delivery.state);
  if ('published' in next) return endPublished(next.published);
  if (stopping.aborted) return handBack;
  const { step } = next;
  if (step.kind === 'follow_up') return giveUpBegunFollowUp(run, step) ?? next;
  const reservation = await reserveQuota(run, step);
  if (reservation) return reservation;
  // Paused since it was leased, perhaps. Whoever puts a pause gets a response when every process knows of it: nothing becomes public after that.
  if (step.kind === 'commit' && isPaused(await context.paused(), delivery)) return waitForPause(delivery);
  return next;
}

async function applyOutcome(run: Run, outcome: Outcome): Promise<Run | undefined> {
  const delivery = await writeOutcome(run, outcome);
  if (!delivery) return undefined;
  const { context, log, connector, content, integration, tokens } = run;
  return { context, log, connector, content, integration, tokens, ...(outcome.kind === 'continue' && outcome.run), delivery };
}
