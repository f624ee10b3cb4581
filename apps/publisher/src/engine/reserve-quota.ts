import { PlatformFailure, type MainStep } from '@fanfare/connectors';
import { currentMs } from '@fanfare/runtime';
import { quotaUseOf, type QuotaUse } from '../quotas/quota-use.ts';
import { closeQuota, returnToQuota, recordReading, reserveFromQuota, type Taken } from '../quotas/store/quotas.ts';
import { decide } from '../deliveries/domain/decide.ts';
import { quotaRemaining, quotaReserved, quotaWaits } from '../metrics.ts';
import { giveUp, waitFor, type Outcome } from './outcome.ts';
import { callFor, type Run } from './run.ts';

/** How long the platform's own count of a quota is cached. */
const READ_EVERY_MS = 15 * 60_000;
/** When it is unknown when the quota has room again, or for how long the platform rejects calls. */
const UNKNOWN_WAIT_MS = READ_EVERY_MS;
const CLOSED_MS = 60_000;

/**
 * Reserves what the step uses of a quota, before it runs. Undefined when nothing is left to reserve.
 *
 * What a call uses is reserved for each call and stored in no row: a process that dies between reserving and calling loses one unit, and no unit is
 * used for two calls. What a post uses is stored in the row until the delivery ends; a process that dies between reserving and storing that loses
 * it for an app's quota, but not for an account's, where reservations are kept by delivery.
 */
export async function reserveQuota(run: Run, step: MainStep): Promise<Outcome | undefined> {
  const { context, delivery } = run;
  const use = quotaUseFor(run, step);
  if (!use || !step.spends || run.reserved || delivery.budgets_held?.[use.quota.name]) return undefined;
  const { quota } = use;
  const { amount } = step.spends;
  const ask = { ...use, amount };
  const labels = { platform: delivery.platform, quota: quota.name };

  let taken = await reserveFromQuota(context.db, { ...ask, ...(quota.read && { readWithinMs: READ_EVERY_MS }) });
  if (taken.result === 'read_first') {
    await read(run, use);
    taken = await reserveFromQuota(context.db, ask);
  }
  if (taken.result !== 'granted') {
    quotaWaits.inc(labels);
    return waitForRoom(run, use, taken);
  }
  quotaReserved.inc(labels, amount);
  if (quota.of === 'app') quotaRemaining.set(labels, taken.left);
  const reserved = { amount, at: taken.at };
  return quota.spentBy === 'call'
    ? { kind: 'continue', run: { reserved } }
    : { kind: 'continue', change: { budgets_held: { ...delivery.budgets_held, [quota.name]: reserved }, budget_waits: undefined } };
}

/** Updates the quota after a step failed: returns what was not used, or closes the quota if the platform says that it is used up. */
export async function noteFailure(run: Run, step: Pick<MainStep, 'spends'>, failure: PlatformFailure): Promise<void> {
  const { context, log } = run;
  const use = quotaUseFor(run, step);
  if (!use) return;
  if (run.reserved && failure.effect === 'not_sent') await returnToQuota(context.db, { ...use, ...run.reserved });
  // A rate limit of one account says nothing about the quota that all accounts share.
  const isSpent = failure.class === 'rate_limited' && failure.effect !== 'not_sent';
  if (!isSpent || (use.quota.of === 'app' && failure.detail['operator'] === undefined)) return;
  const isNews = await closeQuota(context.db, use.id, (failure.retryAfterMs ?? CLOSED_MS) * context.config.timeScale);
  if (isNews && use.quota.of === 'app') {
    log.error({ quota: use.id, detail: failure.detail }, "our app's quota at the platform is used up; no delivery can be sent there");
  }
}

function quotaUseFor({ context, delivery, integration }: Run, step: Pick<MainStep, 'spends'>): QuotaUse | undefined {
  return step.spends && quotaUseOf(context, delivery, integration.account_id, step.spends.quota);
}

/** If the platform cannot be read, deliveries continue: it will reject calls itself when the quota is used up. */
async function read(run: Run, { quota, id }: QuotaUse): Promise<void> {
  try {
    const reading = await quota.read?.(callFor(run));
    if (reading) await recordReading(run.context.db, id, reading);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    run.log.warn({ quota: id, failure: error.class, message: error.message }, 'the quota cannot be read from the platform');
  }
}

/** Not a failure: reported to callers as a wait; only a post that would be far too late fails. */
function waitForRoom({ delivery, tokens, log }: Run, { quota, id }: QuotaUse, rejected: Exclude<Taken, { result: 'granted' }>): Outcome {
  const asked = rejected.result === 'read_first' ? undefined : rejected.asked;
  const waitMs = (rejected.result === 'read_first' ? undefined : rejected.waitMs) ?? UNKNOWN_WAIT_MS;
  const waits = delivery.budget_waits ?? 0;
  const message =
    quota.of === 'app'
      ? `The daily quota that ${delivery.platform} allows this service is used up for now, or reserved for other customers.`
      : `This account has used up its daily quota at ${delivery.platform}: ${asked?.limit} ${quota.name}.`;
  const decision = decide(
    { class: 'rate_limited', effect: 'not_sent', retryAfterMs: waitMs },
    {
      // Spreads the retries of deliveries that wait together.
      failures: waits,
      unsent: 0,
      refreshed: tokens === 'refreshed',
      committedBefore: delivery.lost_commit_at !== undefined,
      dueForMs: currentMs() - delivery.due_at.getTime(),
      jitter: Math.random(),
    },
  );
  log.info({ quota: id, result: rejected.result, limit: asked?.limit, used: asked?.used, wait_ms: waitMs }, 'delivery waits for a quota');
  return decision.kind === 'retry'
    ? waitFor(decision.inMs, { reason: 'rate_limited', message }, { budget_waits: waits + 1 })
    : giveUp(delivery, 'rate_limited', `${message} The post cannot wait until the quota resets.`);
}
