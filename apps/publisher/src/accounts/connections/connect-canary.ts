import { DomainError } from '@fanfare/errors';
import { CANARY, currentTime, newId } from '@fanfare/runtime';
import { CANARY_PLATFORM, contextFor } from '../../canary/context-for.ts';
import { signIn } from '../../canary/sign-in.ts';
import type { Context } from '../../context.ts';
import { isWorking, listIntegrations, type IntegrationDocument } from '../store/integrations.ts';
import { connectAccounts } from './connect-accounts.ts';

/** Connects an account of the canary's sandbox, unless one that works is connected. @throws DomainError conflict if there is no sandbox */
export async function connectCanary(shared: Context, flowId: string): Promise<IntegrationDocument> {
  const context = contextFor(shared, CANARY.organizationId);
  const { canaryPlatforms, db } = context;
  if (!canaryPlatforms) throw new DomainError('conflict', 'There is no sandbox for the canary: set CANARY_SANDBOX_URL of the publisher.');
  const { rows } = await listIntegrations(db, { ...CANARY, pageSize: 1, pageToken: '' });
  const known = rows.find(isWorking);
  if (known) return known;
  const at = currentTime();
  // A person may have several pages there.
  const accounts = (await signIn(context)).slice(0, 1);
  const login = { grantId: newId(), platform: CANARY_PLATFORM, at, accounts };
  const [integration] = await context.transact((session) => connectAccounts(context, { ...CANARY, flowId }, login, session));
  if (!integration) throw new Error('The sandbox granted no account.');
  return integration;
}
