import { PlatformFailure } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { observeAccount } from '../accounts/observe-account.ts';
import { refreshIntegration as refresh, RefreshUnderWay } from '../accounts/tokens/refresh-integration.ts';
import type { Context } from '../context.ts';
import { toIntegration, type IntegrationDocument } from '../accounts/store/integrations.ts';
import { connectedIntegration, fromPlatform } from '../accounts/ask-platform.ts';
import type { Rpc } from './rpc.ts';

/** How often, and how long, another refresh of the same account is waited for. */
const WAITS = 20;
const WAIT_MS = 250;

export const refreshIntegration: Rpc<'refreshIntegration'> =
  (context) =>
  async ({ integrationId }, call) => {
    const found = await connectedIntegration(context, integrationId, call);
    if (found.refreshable === false && found.status !== 'INTEGRATION_STATUS_EXPIRED') {
      throw new DomainError('conflict', 'This platform gave no refresh token. To extend the access, reconnect the account.');
    }
    try {
      const fresh = await refreshed(context, found);
      // Only on request: X charges for it, and its tokens are refreshed every two hours.
      return { integration: toIntegration(await observeAccount(context, fresh), context.config) };
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      call.log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'tokens could not be refreshed');
      throw fromPlatform(error, 'The access token could not be refreshed');
    }
  };

async function refreshed(context: Context, found: IntegrationDocument): Promise<IntegrationDocument> {
  for (let wait = 0; ; wait++) {
    try {
      return await refresh(context, found);
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
