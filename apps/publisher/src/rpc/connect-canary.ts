import { DomainError } from '@fanfare/errors';
import { CANARY, currentTime, newId } from '@fanfare/runtime';
import { connectAccounts } from '../accounts/connections/connect-accounts.ts';
import { isWorking, listIntegrations, toIntegration } from '../accounts/store/integrations.ts';
import { CANARY_PLATFORM, contextFor } from '../canary/context-for.ts';
import { signIn } from '../canary/sign-in.ts';
import type { Rpc } from './rpc.ts';

export const connectCanary: Rpc<'connectCanary'> =
  (shared) =>
  async (_, { metadata: { flowId } }) => {
    const context = contextFor(shared, CANARY.organizationId);
    const { canaryPlatforms, config, db } = context;
    if (!canaryPlatforms) throw new DomainError('conflict', 'There is no sandbox for the canary: set CANARY_SANDBOX_URL of the publisher.');
    const { rows } = await listIntegrations(db, { ...CANARY, pageSize: 1, pageToken: '' });
    const known = rows.find(isWorking);
    if (known) return { integration: toIntegration(known, config) };
    const at = currentTime();
    // A person may have several pages there.
    const accounts = (await signIn(context)).slice(0, 1);
    const login = { grantId: newId(), platform: CANARY_PLATFORM, at, accounts };
    const [integration] = await context.transact((session) => connectAccounts(context, { ...CANARY, flowId }, login, session));
    if (!integration) throw new Error('The sandbox granted no account.');
    return { integration: toIntegration(integration, config) };
  };
