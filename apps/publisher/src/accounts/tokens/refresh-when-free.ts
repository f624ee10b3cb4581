import { DomainError } from '@fanfare/errors';
import type { Context } from '../../context.ts';
import type { IntegrationDocument } from '../store/integrations.ts';
import { refreshIntegration, RefreshUnderWay } from './refresh-integration.ts';

/** How often, and how long, another refresh of the same account is waited for. */
const WAITS = 20;
const WAIT_MS = 250;

/**
 * Refreshes the tokens of an account for a caller who waits.
 * @throws PlatformFailure like `refreshIntegration`
 * @throws DomainError internal_error if another refresh takes too long
 */
export async function refreshWhenFree(context: Context, found: IntegrationDocument): Promise<IntegrationDocument> {
  for (let wait = 0; ; wait++) {
    try {
      return await refreshIntegration(context, found);
    } catch (error) {
      if (!(error instanceof RefreshUnderWay)) throw error;
      if (wait >= WAITS)
        throw new DomainError('internal_error', 'Another refresh of this account is in progress. Try again in a few seconds.', {
          retryAfterSeconds: 5,
        });
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }
}
