import { PlatformFailure, type MainStep } from '@fanfare/connectors';
import { currentMs } from '@fanfare/runtime';
import { decide } from '../deliveries/domain/decide.ts';
import { budgetLeft, budgetSpent, budgetWaits } from '../metrics.ts';
import { closeBudget, giveBackToBudget, recordReading, takeFromBudget, type Taken } from '../budgets/store/budgets.ts';
import { saveDelivery } from '../deliveries/store/deliveries.ts';
import { claimOn, type Claim } from '../budgets/claim-on.ts';
import { giveUp } from './end.ts';
import { callFor, type Run } from './run.ts';
import { wait } from './wait.ts';

/** What a platform itself counts is read anew after this. */
const READ_EVERY_MS = 15 * 60_000;
/** Where nobody knows when there is room again, and where a platform does not say for how long it refuses. */
const UNKNOWN_WAIT_MS = READ_EVERY_MS;
const CLOSED_MS = 60_000;

/**
 * Holds what the step spends, before it runs. Answers whether this run goes on; if not, the delivery waits or has ended.
 *
 * What calls spend is taken anew for each of them, and stands in no row: a process that dies between taking and calling costs one, and none is ever
 * called twice for one. What posts spend stands in the row until the delivery ends; a process that dies between taking and writing that down costs
 * as much of an app's budget, and nothing of an account's, where the delivery is known by its id.
 */
export async function holdBudget(run: Run, step: MainStep): Promise<boolean> {
  const { context, delivery } = run;
  const claim = claimFor(run, step);
  if (!claim || !step.spends || delivery.budgets_held?.[claim.budget.name]) return true;
  const { budget } = claim;
  const { amount } = step.spends;
  const ask = { ...claim, amount };
  const labels = { platform: delivery.platform, budget: budget.name };

  let taken = await takeFromBudget(context.db, { ...ask, ...(budget.read && { readWithinMs: READ_EVERY_MS }) });
  if (taken.answer === 'read_first') {
    await read(run, claim);
    taken = await takeFromBudget(context.db, ask);
  }
  if (taken.answer !== 'granted') {
    budgetWaits.inc(labels);
    await waitForRoom(run, claim, taken);
    return false;
  }
  budgetSpent.inc(labels, amount);
  if (budget.of === 'app') budgetLeft.set(labels, taken.left);
  const held = { amount, at: taken.at };
  if (budget.spentBy === 'call') run.taken = held;
  else {
    const budgets_held = { ...delivery.budgets_held, [budget.name]: held };
    run.delivery = await saveDelivery(context.db, delivery, { budgets_held, budget_waits: undefined });
  }
  return true;
}

/** What a step's failure says of the budget that it spends: that it was not spent after all, or that the platform's own is used up. */
export async function heedFailure(run: Run, step: Pick<MainStep, 'spends'>, failure: PlatformFailure): Promise<void> {
  const { context, log } = run;
  const claim = claimFor(run, step);
  if (!claim) return;
  if (run.taken && failure.effect === 'not_sent') await giveBackToBudget(context.db, { ...claim, ...run.taken });
  delete run.taken;
  // A refusal of one account, or of its haste, says nothing of what all have together.
  const isSpent = failure.class === 'rate_limited' && failure.effect !== 'not_sent';
  if (!isSpent || (claim.budget.of === 'app' && failure.detail['operator'] === undefined)) return;
  const isNews = await closeBudget(context.db, claim.id, (failure.retryAfterMs ?? CLOSED_MS) * context.config.timeScale);
  if (isNews && claim.budget.of === 'app') {
    log.error({ budget: claim.id, detail: failure.detail }, 'the platform says that what it allows our app is used up: nobody can send');
  }
}

function claimFor({ context, delivery, integration }: Run, step: Pick<MainStep, 'spends'>): Claim | undefined {
  return step.spends && claimOn(context, delivery, integration.account_id, step.spends.budget);
}

/** A platform that cannot be asked holds nothing up: it says so itself when it has had enough. */
async function read(run: Run, { budget, id }: Claim): Promise<void> {
  try {
    const reading = await budget.read?.(callFor(run));
    if (reading) await recordReading(run.context.db, id, reading);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    run.log.warn({ budget: id, failure: error.class, message: error.message }, 'what the platform allows cannot be read');
  }
}

/** No failure: it is told as a wait, and fails only a post that would be far too late. */
async function waitForRoom(run: Run, { budget, id }: Claim, refused: Exclude<Taken, { answer: 'granted' }>): Promise<void> {
  const { context, delivery, log } = run;
  const asked = refused.answer === 'read_first' ? undefined : refused.asked;
  const waitMs = (refused.answer === 'read_first' ? undefined : refused.waitMs) ?? UNKNOWN_WAIT_MS;
  const waits = delivery.budget_waits ?? 0;
  const message =
    budget.of === 'app'
      ? `What ${delivery.platform} allows this service in a day is used up for now, or kept for others.`
      : `This account has used up what ${delivery.platform} allows it: ${asked?.limit} ${budget.name} in a day.`;
  const decision = decide(
    { class: 'rate_limited', effect: 'not_sent', retryAfterMs: waitMs },
    {
      // Those who wait together do not all come back together.
      failures: waits,
      unsent: 0,
      refreshed: run.refreshed,
      committedBefore: delivery.lost_commit_at !== undefined,
      dueForMs: currentMs() - delivery.due_at.getTime(),
      jitter: Math.random(),
    },
  );
  log.info({ budget: id, answer: refused.answer, limit: asked?.limit, used: asked?.used, wait_ms: waitMs }, 'waits for a budget');
  if (decision.kind === 'fail')
    return giveUp(context, delivery, log)(decision.errorType, `${message} This lasts longer than a post can wait.`);
  if (decision.kind === 'retry') await wait(run, { inMs: decision.inMs, reason: 'rate_limited', message }, { budget_waits: waits + 1 });
}
