import { topics } from '@fanfare/contracts';
import { on, onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../../context.ts';
import { integrationChanged } from './integration-changed.ts';
import { hasFailed, postChanged } from './post-changed.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.postChanged, postChanged(context), { concerns: hasFailed }),
  on(topics.integrationChanged, integrationChanged(context)),
];
