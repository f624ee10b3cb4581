import { platformLabel } from '@fanfare/connectors/platform';
import { connectorFor, PlatformFailure, type ChoicePage } from '@fanfare/connectors';
import type { ListChoicesRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { callPlatform, connectedIntegration, fromPlatform } from './call-platform.ts';
import type { IntegrationDocument } from './store/integrations.ts';

type ChoicesRequest = Parameters<NonNullable<ReturnType<typeof connectorFor>['choices']>[string]>[1];

/**
 * Reads from the platform what may be chosen for an option of an account's posts.
 * @throws DomainError resource_not_found, conflict, invalid_value, validation_failed, SOCIAL_TOKEN_EXPIRED, UPSTREAM_PROVIDER_ERROR
 */
export async function listChoices(
  context: Context,
  { integrationId, option, given, pageToken }: ListChoicesRequest,
  call: Call,
): Promise<ChoicePage> {
  const integration = await connectedIntegration(context, integrationId, call);
  const request = { given, ...(pageToken !== '' && { cursor: pageToken }) };
  try {
    return await readChoices(context, integration, option, request);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    call.log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'choices could not be listed');
    if (error.class === 'validation') {
      const { param } = error.detail;
      throw new DomainError('validation_failed', error.message, { cause: error, ...(typeof param === 'string' && { param }) });
    }
    throw fromPlatform(error, 'The platform did not return choices');
  }
}

function readChoices(context: Context, integration: IntegrationDocument, option: string, request: ChoicesRequest): Promise<ChoicePage> {
  const { platform } = integration;
  const { choices = {} } = connectorFor(platform);
  const list = Object.hasOwn(choices, option) ? choices[option] : undefined;
  if (!list) {
    const known = Object.keys(choices).join(', ');
    const detail = `${platformLabel(platform)} has no choices for this option${known === '' ? '' : `; options with choices: ${known}`}.`;
    throw new DomainError('invalid_value', detail, { param: 'option' });
  }
  return callPlatform(context, integration, (call) => list(call, request));
}
