import { topics } from '@fanfare/contracts';
import { onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { publicationRequested } from './publication-requested.ts';
import { removalsRequested } from './removals-requested.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.publicationRequested, publicationRequested(context)),
  onAll(topics.removalsRequested, removalsRequested(context)),
];
