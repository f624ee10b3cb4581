import { topics } from '@fanfare/contracts';
import { on, onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { deliveryChanged } from './delivery-changed.ts';
import { integrationChanged } from './integration-changed.ts';
import { publicationRequested } from './publication-requested.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.publicationRequested, publicationRequested(context)),
  onAll(topics.deliveryChanged, deliveryChanged(context), { concerns: ({ status }) => status === 'DELIVERY_STATUS_SUCCESS' }),
  on(topics.integrationChanged, integrationChanged(context)),
];
