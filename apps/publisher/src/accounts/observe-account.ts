import { isDeepStrictEqual } from 'node:util';
import { oauthOf } from '@fanfare/connectors';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitIntegrationChanged } from './events/emit-integration-changed.ts';
import { findIntegration, putIntegration, type IntegrationDocument } from './store/integrations.ts';
import { openTokens, secretsOf } from './tokens/tokens.ts';

/** Reads the account's options from its platform again, where it offers that. A failure changes nothing. */
export async function observeAccount(context: Context, integration: IntegrationDocument): Promise<IntegrationDocument> {
  const { db, platforms } = context;
  const { _id, platform, login } = integration;
  const { observe } = oauthOf(platform, login);
  if (!observe) return integration;
  try {
    const tokens = openTokens(context, integration);
    const http = platforms.http(platform, undefined, secretsOf(tokens));
    const observed_options = { ...(await observe(http, tokens)) };
    if (isDeepStrictEqual(observed_options, integration.observed_options ?? {})) return integration;
    return await context.transact(async (session) => {
      const current = await findIntegration(db, _id, session);
      if (current?.revision !== integration.revision) return current ?? integration;
      const next = { ...current, observed_options, revision: current.revision + 1, updated_at: now(current.organization_id) };
      await putIntegration(db, next, session);
      await emitIntegrationChanged(context, session, next, { flowId: `observe-${_id}` });
      return next;
    });
  } catch (error) {
    context.log.warn({ err: error, integration_id: _id, platform }, 'account details cannot be read from the platform now');
    return integration;
  }
}
