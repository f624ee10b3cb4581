import { topics } from '@fanfare/contracts';
import { on, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { publicationRequested } from './publication-requested.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  on(topics.publicationRequested, publicationRequested(context)),
];
