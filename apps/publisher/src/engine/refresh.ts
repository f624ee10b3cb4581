import { PlatformFailure } from '@fanfare/connectors';
import { now } from '@fanfare/runtime';
import { refreshIntegration, RefreshUnderWay } from '../accounts/tokens/refresh-integration.ts';
import { tokenEntry } from '../deliveries/domain/delivery-entries.ts';
import { afterFailure } from './after-failure.ts';
import { shortWait, type Outcome } from './outcome.ts';
import { afterUnreadable } from './reconcile.ts';
import type { Run } from './run.ts';

/** How long to wait for another process's refresh of the same account. */
const REFRESH_DELAY_MS = 1_000;

/** Gets fresh tokens for the turns to come. */
export async function refresh(run: Run): Promise<Outcome> {
  const { context, integration, delivery } = run;
  try {
    const refreshed = await refreshIntegration(context, integration);
    return { kind: 'continue', run: { integration: refreshed, tokens: 'refreshed' }, entries: [tokenEntry()] };
  } catch (error) {
    if (!(error instanceof PlatformFailure || error instanceof RefreshUnderWay)) throw error;
    // A lost grant stays lost; temporary failures are retried.
    const tokens = error instanceof PlatformFailure && error.class === 'token_expired' ? 'refreshed' : 'usable';
    const isStillGood = run.tokens === 'expiring' && (integration.token_expires_at ?? 0) > now(integration.organization_id);
    const entries = error instanceof PlatformFailure ? [tokenEntry(error)] : [];
    if (isStillGood) return { kind: 'continue', run: { tokens }, entries };
    if (error instanceof RefreshUnderWay) return shortWait(REFRESH_DELAY_MS);
    // An ambiguous commit can only be reconciled by reading; until then it must not be dropped.
    const outcome = delivery.commit
      ? afterUnreadable({ ...run, tokens }, delivery.commit, error)
      : await afterFailure({ ...run, tokens }, error);
    return { ...outcome, entries };
  }
}
