import type { Subscription } from '@fanfare/events';
import type { Context } from '../context.ts';

export const subscriptions = (_context: Context): readonly Subscription[] => [];
