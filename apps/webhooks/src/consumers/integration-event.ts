import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { Received } from '@fanfare/events';
import { EVENT_TYPE_NAMES, integrationFromProto, type Urls } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

/**
 * Only a change of the status is an event, not a refreshed token or a setting. Therefore the status is remembered for as long as the account exists. If it
 * is not known, from before this service existed, an account that is connected and not new is no event.
 */
export const integrationEvent =
  (urls: Urls) =>
  (received: Received<IntegrationChanged>): NewEvent | undefined => {
    const { integration } = received.data;
    if (!integration) return undefined;
    const data = integrationFromProto(integration, urls);
    const types = EVENT_TYPE_NAMES.filter((type) => type === `integration.${data.status}`);
    return newEvent(received, {
      types: (before) => ((before ? before['status'] === data.status : data.status === 'connected' && received.revision > 1) ? [] : types),
      data,
      platforms: [data.platform],
      remembered: 'always',
    });
  };
