import { topics } from '@fanfare/contracts';
import { on, onAll, type Subscription } from '@fanfare/events';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deliveryChanged } from './delivery-changed.ts';
import { integrationChanged } from './integration-changed.ts';
import { publicationRequested } from './publication-requested.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.publicationRequested, publicationRequested(context), { concerns: isOfCustomer }),
  onAll(topics.deliveryChanged, deliveryChanged(context), {
    concerns: (data) => isOfCustomer(data) && data.status === 'DELIVERY_STATUS_SUCCESS',
  }),
  on(topics.integrationChanged, integrationChanged(context), {
    concerns: ({ integration }) => integration !== undefined && isOfCustomer(integration),
  }),
];

/** The canary has no statistics, and no platform has its accounts. */
const isOfCustomer = ({ organizationId }: { organizationId: string }): boolean => !isCanary(organizationId);
