import type { GetBestTimesResponse } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import { platformName } from '../platforms/platform-name.ts';
import { DAYS, queueSlot } from './queue.ts';

export const suggestSlotsBody = z
  .strictObject({
    count: z
      .int()
      .min(1)
      .max(168)
      .optional()
      .meta({ description: 'The maximum number of slots in a week, counting each day and time; 7 by default.' }),
    platform: platformName().optional().meta({
      description:
        'Considers only posts on this platform. Default: the platform in `restrict_publish_to` of the queue if there is exactly one, otherwise all platforms.',
    }),
  })
  .meta({ id: 'SuggestSlots' });

/** Slots by the success of earlier posts. */
export const slotSuggestion = z
  .object({
    timezone: z.string().meta({ description: 'The time zone of the queue, which the slots use.' }),
    is_enough: z.boolean().meta({
      description:
        'Whether slots can be suggested: `posts` is at least `least_posts`, and these posts were published in at least three different hours of the week. If false, `slots` is empty; publish more posts, and try again a day later.',
    }),
    posts: z.int().meta({
      description:
        'How many published posts the suggestion is based on: those whose statistics were read 24 hours after they were published.',
    }),
    least_posts: z.int().meta({ description: 'How many published posts with such statistics a suggestion needs.' }),
    slots: z.array(queueSlot).meta({ description: 'The hours with the highest scores. Send them to update_queue to use them.' }),
  })
  .meta({ id: 'SlotSuggestion' });

const DEFAULT_COUNT = 7;

/** The best hours as slots, one for each hour of the day. */
export function suggestionFrom(times: GetBestTimesResponse, timezone: string, count = DEFAULT_COUNT): z.input<typeof slotSuggestion> {
  const best = times.hours
    .filter(({ score }) => score !== undefined)
    .toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .slice(0, count);
  const byHour = [...Map.groupBy(best, ({ hour }) => hour)].sort(([one], [other]) => one - other);
  const slots = byHour.map(([hour, same]) => ({
    days: DAYS.filter((_, day) => same.some(({ weekday }) => weekday === day + 1)),
    time: `${String(hour).padStart(2, '0')}:00`,
  }));
  return { timezone, is_enough: times.isEnough, posts: times.posts, least_posts: times.leastPosts, slots };
}
