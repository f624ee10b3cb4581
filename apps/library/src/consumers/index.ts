import { topics } from '@fanfare/contracts';
import { onAll, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { changesMedia, postChanged } from './post-changed.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  onAll(topics.postChanged, postChanged(context), { concerns: changesMedia }),
];
