import type { GetBestTimesResponse } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The hours of the week by the success of posts. */
export const bestTimes = z
  .object({
    self: selfLink(),
    time_zone: z.string().meta({ description: "The business's time zone, which `weekday` and `hour` use." }),
    is_enough: z.boolean().meta({
      description:
        'Whether hours can be compared: `posts` is at least `least_posts`, and they were published in at least three hours of the week. If false, no hour has a score.',
    }),
    posts: z.int().meta({ description: 'How many posts the scores are based on: posts with a snapshot at the age of 24 hours.' }),
    least_posts: z.int().meta({ description: 'How many posts with a snapshot at the age of 24 hours are needed to compare hours.' }),
    since: timestamp().nullable().meta({ description: 'When the oldest of the posts on which the scores are based was published.' }),
    hours: z
      .array(
        z.object({
          weekday: z.enum(DAYS),
          hour: z.int().meta({ description: 'The hour of the day in which the posts were published, from 0 to 23.' }),
          posts: z.int(),
          score: z.number().nullable().meta({
            description:
              'How well the posts of this hour did. For each post, its engagements after 24 hours are divided by the average of its account; the score is the average of these ratios. 1 means average, 2 means twice the average. null if the hour has fewer than three posts, or if `is_enough` is false.',
          }),
        }),
      )
      .meta({
        description:
          'The hours in which posts were published: the highest score first, hours without a score last. Scores are computed from these posts only; nothing is estimated.',
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
