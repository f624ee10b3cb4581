import { platformLabel } from '@fanfare/connectors/platform';
import { PlatformFailure, type MainStep } from '@fanfare/connectors';
import { now } from '@fanfare/runtime';
import { windowInWords } from '../quotas/domain/window-in-words.ts';
import type { QuotaFailure } from '../quotas/note-failure.ts';
import { quotaUseOf, type QuotaUse } from '../quotas/quota-use.ts';
import { recordReading, reserveFromQuota, type Taken } from '../quotas/store/quotas.ts';
import { decide } from '../deliveries/domain/decide.ts';
import { quotaRemaining, quotaReserved, quotaWaits } from '../metrics.ts';
import { giveUp, waitFor, type Outcome } from './outcome.ts';
import { callFor, type Run } from './run.ts';

/** How long the platform's own count of a quota is cached. */
const READ_EVERY_MS = 15 * 60_000;
/** When it is unknown when the quota has room again. */
const UNKNOWN_WAIT_MS = READ_EVERY_MS;

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
  // The call is not made yet.
  if (quota.spentBy === 'call' && step.kind === 'commit' && delivery.stage === 'preparing') return undefined;
  const { amount } = step.spends;
  const request = { ...use, amount };
  const labels = { platform: delivery.platform, quota: quota.name };

  let taken = await reserveFromQuota(context.db, { ...request, ...(quota.read && { readWithinMs: READ_EVERY_MS }) });
  if (taken.result === 'read_first') {
    await read(run, use);
    taken = await reserveFromQuota(context.db, request);
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

/** What the failure of a step means for the quota that it uses. Undefined if it uses none. */
export function quotaFailureOf(run: Run, step: MainStep, failure: PlatformFailure): QuotaFailure | undefined {
  const use = quotaUseFor(run, step);
  return use && { failure, uses: [use], ...(run.reserved && { reserved: run.reserved }) };
}

function quotaUseFor({ context, delivery, integration }: Run, step: MainStep): QuotaUse | undefined {
  return step.spends && quotaUseOf(context, delivery, integration.account_id, step.spends.quota);
}

/** If the platform cannot be read, deliveries continue: it will reject calls itself when the quota is used up. */
async function read(run: Run, { quota, id, now: at }: QuotaUse): Promise<void> {
  try {
    const reading = await quota.read?.(callFor(run));
    if (reading) await recordReading(run.context.db, id, reading, at);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    run.log.warn({ quota: id, failure: error.class, message: error.message }, 'the quota cannot be read from the platform');
  }
}

/** Not a failure: reported to callers as a wait; only a post that would be far too late fails. */
function waitForRoom({ delivery, tokens, log }: Run, { quota, id }: QuotaUse, rejected: Exclude<Taken, { result: 'granted' }>): Outcome {
  const counted = rejected.result === 'read_first' ? undefined : rejected.counted;
  const waitMs = (rejected.result === 'read_first' ? undefined : rejected.waitMs) ?? UNKNOWN_WAIT_MS;
  const waits = delivery.budget_waits ?? 0;
  const platform = platformLabel(delivery.platform);
  const message =
    quota.of === 'app'
      ? `The quota that ${platform} allows this service is used up for now, or reserved for other customers.`
      : `This account has used up what ${platform} allows in ${windowInWords(quota.window)}: ${counted?.limit} ${quota.name}.`;
  const decision = decide(
    { class: 'rate_limited', effect: 'not_sent', retryAfterMs: waitMs },
    {
      // Spreads the retries of deliveries that wait together.
      failures: waits,
      unsent: 0,
      refreshed: tokens === 'refreshed',
      committedBefore: delivery.lost_commit_at !== undefined,
      dueForMs: now(delivery.organization_id).getTime() - delivery.due_at.getTime(),
      jitter: Math.random(),
    },
  );
  log.info(
    { quota: id, result: rejected.result, limit: counted?.limit, used: counted?.used, wait_ms: waitMs },
    'delivery waits for a quota',
  );
  return decision.kind === 'retry'
    ? waitFor(decision.inMs, { reason: 'rate_limited', message }, { budget_waits: waits + 1 })
    : giveUp(delivery, 'rate_limited', `${message} The post cannot wait until the quota resets.`);
}
