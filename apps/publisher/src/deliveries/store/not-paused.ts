import type { Platform } from '@fanfare/connectors';
import type { Filter } from 'mongodb';
import type { Paused } from '../../pauses/domain/paused.ts';
import type { DeliveryDocument } from '../delivery.ts';

/** Selects deliveries that no pause of a platform, an organization or an account concerns. */
export const notPaused = ({ platforms, organizations, integrations }: Paused): Filter<DeliveryDocument> => ({
  ...(platforms.length > 0 && { platform: { $nin: platforms as Platform[] } }),
  ...(organizations.length > 0 && { organization_id: { $nin: [...organizations] } }),
  ...(integrations.length > 0 && { integration_id: { $nin: [...integrations] } }),
});
