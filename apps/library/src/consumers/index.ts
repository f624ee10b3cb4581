import { topics } from '@fanfare/contracts';
import { on, type Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';
import { postChanged } from './post-changed.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [on(topics.postChanged, postChanged(context))];
