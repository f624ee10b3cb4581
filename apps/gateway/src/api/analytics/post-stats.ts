import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { selfLink } from '../common/self-link.ts';
import { STATISTIC_NAMES, postStatistics } from './post-statistics.ts';

/** The statistics of a post on all accounts that it was sent to. */
export const postStats = z
  .object({
    self: selfLink(),
    post_id: z.string(),
    results: z
      .array(
        z.object({
          integration_id: z.string(),
          platform: z.string(),
          publish_id: z
            .string()
            .nullable()
            .meta({ description: "The platform's id of the post; null if the post is not published on this account." }),
          stats: postStatistics
            .nullable()
            .meta({ description: 'The statistics; those of the latest snapshot if the platform cannot be read.' }),
          unavailable_reason: z
            .string()
            .nullable()
            .meta({ description: 'Why statistics are missing or outdated, as text for people; null if they are complete and current.' }),
          history: z
            .array(
              z.object({
                age_hours: z.int().meta({
                  description: 'The age of the post at which the snapshot was due, in hours: 1, 6, 24, 72, 168, 336, 720 or 2160.',
                }),
                stats: postStatistics,
              }),
            )
            .optional()
            .meta({ description: 'With `history=true`: the stored snapshots, oldest first. Deleting the post does not delete them.' }),
        }),
      )
      .meta({ description: 'One entry for each publish result of the post.' }),
  })
  .meta({ id: 'PostStats' });

/** One row for each snapshot, and one row without an age for the current statistics, even if there are none. */
export const postStatsTable = ({ results }: z.input<typeof postStats>): CsvTable => [
  ['integration_id', 'platform', 'publish_id', 'age_hours', 'fetched_at', ...STATISTIC_NAMES, 'unavailable_reason'],
  ...results.flatMap(({ integration_id, platform, publish_id, stats, unavailable_reason, history = [] }) =>
    [...history, { age_hours: null, stats }].map(({ age_hours, stats: statistics }) => [
      integration_id,
      platform,
      publish_id,
      age_hours,
      statistics?.fetched_at ?? null,
      ...STATISTIC_NAMES.map((name) => statistics?.[name] ?? null),
      age_hours === null ? unavailable_reason : null,
    ]),
  ),
];
