import type { TargetStats } from '@fanfare/contracts/analytics';
import { z } from 'zod';
import type { CsvTable } from '../../http/response/csv.ts';
import { present } from '../shared/present.ts';
import { selfLink } from '../shared/self-link.ts';
import { NUMBER_NAMES, postNumbers, postNumbersFrom } from './post-numbers.ts';

/** The numbers of a post on all accounts that it was sent to. */
export const postStats = z
  .object({
    self: selfLink(),
    post_id: z.string(),
    results: z
      .array(
        z.object({
          integration_id: z.string(),
          platform: z.string(),
          publish_id: z.string().nullable().meta({ description: "The platform's id of the post; null while it is not published there." }),
          stats: postNumbers.nullable().meta({ description: 'The numbers; those of the latest snapshot if the platform cannot be read.' }),
          unavailable_reason: z
            .string()
            .nullable()
            .meta({ description: 'Why the numbers are missing or old, for people; null if they are not.' }),
          history: z
            .array(
              z.object({
                age_hours: z
                  .int()
                  .meta({ description: 'The age of the post that the snapshot is for: 1, 6, 24, 72, 168, 336, 720 or 2160.' }),
                stats: postNumbers,
              }),
            )
            .optional()
            .meta({ description: 'With `history=true`: the stored snapshots, oldest first. They stay when the post is deleted.' }),
        }),
      )
      .meta({ description: 'One entry for each publish result of the post.' }),
  })
  .meta({ id: 'PostStats' });

export const postStatsFrom = (postId: string, results: readonly TargetStats[], withHistory: boolean): z.input<typeof postStats> => ({
  post_id: postId,
  results: results.map(({ target, stats, unavailableReason, history }) => {
    const { integrationId, platform, publishId } = present(target);
    return {
      integration_id: integrationId,
      platform,
      publish_id: publishId || null,
      stats: stats ? postNumbersFrom(stats) : null,
      unavailable_reason: unavailableReason || null,
      ...(withHistory && {
        history: history.map(({ ageHours, stats: then }) => ({ age_hours: ageHours, stats: postNumbersFrom(present(then)) })),
      }),
    };
  }),
});

/** A row for the numbers of now, without an age, and one for each snapshot. */
export const postStatsTable = ({ results }: z.input<typeof postStats>): CsvTable => [
  ['integration_id', 'platform', 'publish_id', 'age_hours', 'fetched_at', ...NUMBER_NAMES],
  ...results.flatMap(({ integration_id, platform, publish_id, stats, history = [] }) =>
    [...history, ...(stats ? [{ age_hours: null, stats }] : [])].map(({ age_hours, stats: numbers }) => [
      integration_id,
      platform,
      publish_id,
      age_hours,
      numbers.fetched_at,
      ...NUMBER_NAMES.map((name) => numbers[name]),
    ]),
  ),
];
