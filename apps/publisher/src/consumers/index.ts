import { topics } from '@fanfare/contracts';
import { onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { publicationRequested } from './publication-requested.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.publicationRequested, publicationRequested(context)),
];
