import { topics } from '@fanfare/contracts';
import { on, onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { deliveryChanged } from './delivery-changed.ts';
import { designChanged } from './design-changed.ts';
import { integrationChanged } from './integration-changed.ts';
import { mediaChanged } from './media-changed.ts';
import { removalChanged } from './removal-changed.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.deliveryChanged, deliveryChanged(context)),
  on(topics.removalChanged, removalChanged(context)),
  on(topics.integrationChanged, integrationChanged(context)),
  on(topics.mediaChanged, mediaChanged(context)),
  on(topics.designChanged, designChanged(context)),
];
