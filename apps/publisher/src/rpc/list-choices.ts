import { platformLabel } from '@fanfare/connectors/platform';
import { connectorFor, PlatformFailure, type ChoicePage } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import type { Context } from '../context.ts';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { callPlatform, connectedIntegration, fromPlatform } from '../accounts/call-platform.ts';
import type { Rpc } from './rpc.ts';

type ChoicesRequest = Parameters<NonNullable<ReturnType<typeof connectorFor>['choices']>[string]>[1];

export const listChoices: Rpc<'listChoices'> =
  (context) =>
  async ({ integrationId, option, given, pageToken }, call) => {
    const integration = await connectedIntegration(context, integrationId, call);
    const request = { given, ...(pageToken !== '' && { cursor: pageToken }) };
    try {
      const { items, next = '' } = await readChoices(context, integration, option, request);
      return { choices: [...items], nextPageToken: next };
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      call.log.warn({ err: error, integration_id: integrationId, detail: error.detail }, 'choices could not be listed');
      if (error.class === 'validation') {
        const { param } = error.detail;
        throw new DomainError('validation_failed', error.message, { cause: error, ...(typeof param === 'string' && { param }) });
      }
      throw fromPlatform(error, 'The platform did not return choices');
    }
  };

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
