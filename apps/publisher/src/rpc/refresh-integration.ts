import { PlatformFailure } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { observeAccount } from '../accounts/observe-account.ts';
import { refreshWhenFree } from '../accounts/tokens/refresh-when-free.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import { connectedIntegration, fromPlatform } from '../accounts/call-platform.ts';
import type { Rpc } from './rpc.ts';

export const refreshIntegration: Rpc<'refreshIntegration'> =
  (context) =>
  async ({ integrationId }, call) => {
    const found = await connectedIntegration(context, integrationId, call);
    if (found.refreshable === false && found.status !== 'INTEGRATION_STATUS_EXPIRED') {
      throw new DomainError('conflict', 'This platform issued no refresh token. To extend the access, reconnect the account.');
    }
    try {
      const fresh = await refreshWhenFree(context, found);
      // Only on request: X charges for it, and its tokens are refreshed every two hours.
      return { integration: toIntegration(await observeAccount(context, fresh), context.config) };
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      call.log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'tokens could not be refreshed');
      throw fromPlatform(error, 'The access token could not be refreshed');
    }
  };
