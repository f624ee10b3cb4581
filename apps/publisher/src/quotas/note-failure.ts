import type { PlatformFailure } from '@fanfare/connectors';
import type { Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { QuotaUse } from './quota-use.ts';
import { closeQuota, returnToQuota } from './store/quotas.ts';

/** When the platform does not say for how long it rejects calls. */
const CLOSED_MS = 60_000;

/** The failure of a step that uses quotas. */
export interface QuotaFailure {
  readonly failure: PlatformFailure;
  readonly uses: readonly QuotaUse[];
  /** What was reserved for the failed call alone. */
  readonly reserved?: { readonly amount: number; readonly at: Date };
}

/** Updates quotas after a step failed: returns what was not used, or closes a quota if the platform says that it is used up. */
export async function noteFailure(
  { context, log }: { readonly context: Context; readonly log: Logger },
  { failure, uses, reserved }: QuotaFailure,
): Promise<void> {
  const isSpent = failure.class === 'rate_limited' && failure.effect !== 'not_sent';
  for (const use of uses) {
    if (reserved && failure.effect === 'not_sent') await returnToQuota(context.db, { ...use, ...reserved });
    // A rate limit of one account says nothing about the quota that all accounts share.
    if (!isSpent || (use.quota.of === 'app' && failure.detail['operator'] === undefined)) continue;
    const isNewlyClosed = await closeQuota(context.db, use.id, (failure.retryAfterMs ?? CLOSED_MS) * context.config.timeScale, use.now);
    if (isNewlyClosed && use.quota.of === 'app') {
      log.error({ quota: use.id, detail: failure.detail }, "our app's quota at the platform is used up; no delivery can be sent there");
    }
  }
}
