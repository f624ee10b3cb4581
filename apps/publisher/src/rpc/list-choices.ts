import { connectorFor, PlatformFailure, type ChoicePage } from '@fanfare/connectors';
import { DomainError, notFound } from '@fanfare/errors';
import { credentialsOf } from '../accounts/credentials.ts';
import { refreshIntegration } from '../accounts/refresh-integration.ts';
import type { Context } from '../context.ts';
import { findOwnIntegration, type IntegrationDocument } from '../store/integrations.ts';
import type { Rpc } from './rpc.ts';

type Asked = Parameters<NonNullable<ReturnType<typeof connectorFor>['choices']>[string]>[1];

export const listChoices: Rpc<'listChoices'> =
  (context) =>
  async ({ integrationId, option, given, pageToken }, { metadata, log }) => {
    const integration = await findOwnIntegration(context.db, integrationId, metadata);
    if (!integration) throw notFound('integration');
    if (integration.status === 'INTEGRATION_STATUS_DISCONNECTED') {
      throw new DomainError('invalid_request', 'This account is disconnected: connect it again.');
    }
    const asked = { given, ...(pageToken !== '' && { cursor: pageToken }) };
    try {
      const { items, next = '' } = await ask(context, integration, option, asked);
      return { choices: [...items], nextPageToken: next };
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'choices could not be listed');
      if (error.class === 'token_expired') throw new DomainError('SOCIAL_TOKEN_EXPIRED', error.message, { cause: error });
      if (error.class === 'validation') throw new DomainError('validation_failed', error.message, { cause: error });
      throw new DomainError('UPSTREAM_PROVIDER_ERROR', `The platform did not answer with choices: ${error.message}`, { cause: error });
    }
  };

/** With a fresh token where the one that we had has ended meanwhile. */
async function ask(context: Context, integration: IntegrationDocument, option: string, asked: Asked): Promise<ChoicePage> {
  const { platform, account_id: accountId, username } = integration;
  const { choices = {} } = connectorFor(platform);
  const list = Object.hasOwn(choices, option) ? choices[option] : undefined;
  if (!list) {
    const known = Object.keys(choices).join(', ');
    const detail = `${platform} has no list of choices for that option${known === '' ? '' : `; it has ${known}`}.`;
    throw new DomainError('invalid_value', detail, { param: 'option' });
  }
  const listWith = (current: IntegrationDocument) => {
    const { app, accessToken } = credentialsOf(context, current);
    return list({ app, http: context.platforms.http(platform), account: { accountId, username, accessToken } }, asked);
  };
  try {
    return await listWith(integration);
  } catch (error) {
    if (!(error instanceof PlatformFailure && error.class === 'token_expired')) throw error;
    return listWith(await refreshIntegration(context, integration));
  }
}
