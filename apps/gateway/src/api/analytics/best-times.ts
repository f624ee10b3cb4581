import type { GetBestTimesResponse } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../shared/self-link.ts';
import { timestamp } from '../shared/timestamp.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The hours of the week by what posts came to. */
export const bestTimes = z
  .object({
    self: selfLink(),
    time_zone: z.string().meta({ description: "The business's time zone, in which the hours are." }),
    is_enough: z.boolean().meta({ description: 'Whether there are enough posts to tell one hour from another.' }),
    posts: z.int().meta({ description: 'How many posts it rests on: those with a snapshot at 24 hours.' }),
    least_posts: z.int().meta({ description: 'How many posts it takes.' }),
    since: timestamp().nullable().meta({ description: 'When the first of them was published.' }),
    hours: z
      .array(
        z.object({
          weekday: z.enum(DAYS),
          hour: z.int().meta({ description: 'From 0 to 23: the hour in which posts were published.' }),
          posts: z.int(),
          score: z.number().nullable().meta({
            description:
              'The mean engagements of its posts after 24 hours, each divided by the mean of its account: 1 is as usual, 2 twice that. null with fewer than three posts, and while `is_enough` is false.',
          }),
        }),
      )
      .meta({
        description: 'Hours in which posts were published: the highest score first, then those without a score. Nothing is estimated.',
      }),
  })
  .meta({ id: 'BestTimes' });

export function bestTimesFrom(given: GetBestTimesResponse, timeZone: string): z.input<typeof bestTimes> {
  const hours = given.hours.map(({ weekday, hour, posts, score }) => ({
    weekday: DAYS[weekday - 1] ?? 'monday',
    hour,
    posts,
    score: score ?? null,
  }));
  return {
    time_zone: timeZone,
    is_enough: given.isEnough,
    posts: given.posts,
    least_posts: given.leastPosts,
    since: given.since?.toISOString() ?? null,
    hours: hours.toSorted((one, other) => (other.score ?? -1) - (one.score ?? -1)),
  };
}

export const bestTimesTable = ({ hours }: z.input<typeof bestTimes>): CsvTable => [
  ['weekday', 'hour', 'posts', 'score'],
  ...hours.map(({ weekday, hour, posts, score }) => [weekday, hour, posts, score]),
];
