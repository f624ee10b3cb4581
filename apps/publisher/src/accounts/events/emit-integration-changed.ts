import { topics } from '@fanfare/contracts';
import { appendToOutbox, type Cause } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { toIntegration, type IntegrationDocument } from '../store/integrations.ts';

/** An account was connected, refreshed, expired or disconnected; carries its whole state, without tokens. */
export async function emitIntegrationChanged(
  { config, db }: Pick<Context, 'config' | 'db'>,
  session: ClientSession,
  integration: IntegrationDocument,
  cause: Cause,
): Promise<void> {
  const emission = {
    ...cause,
    subject: integration._id,
    revision: integration.revision,
    organizationId: integration.organization_id,
    businessId: integration.business_id,
  };
  await appendToOutbox(db, session, 'publisher', topics.integrationChanged, emission, { integration: toIntegration(integration, config) });
}
