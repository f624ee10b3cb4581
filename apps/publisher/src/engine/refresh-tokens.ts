import { PlatformFailure } from '@fanfare/connectors';
import { refreshIntegration, RefreshUnderWay } from '../accounts/tokens/refresh-integration.ts';
import type { Run } from './run.ts';

/** How long to wait for somebody else's refresh of the same account. */
export const REFRESH_PAUSE_MS = 1_000;

/**
 * Gets fresh tokens for this run; what that means for the delivery is the caller's to decide. Answers with undefined when it has them, with
 * `under_way` when another delivery is getting them, or with what came instead.
 */
export async function refreshTokens(run: Run): Promise<PlatformFailure | 'under_way' | undefined> {
  try {
    run.integration = await refreshIntegration(run.context, run.integration);
    run.refreshed = true;
    return undefined;
  } catch (error) {
    if (error instanceof RefreshUnderWay) return 'under_way';
    if (!(error instanceof PlatformFailure)) throw error;
    // A grant that is gone stays gone; what passes is tried again.
    if (error.class === 'token_expired') run.refreshed = true;
    return error;
  }
}
