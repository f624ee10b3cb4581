import type { PlatformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';

/** The statistics that a platform provides. */
export const platformStatistics = z
  .object({
    metrics: z
      .array(
        z.object({
          name: z.string().meta({ description: "The platform's own name: a value for `metrics`, and a key of `raw_metrics`." }),
          description: z.string(),
          is_default: z.boolean().meta({ description: 'Whether the metric is returned if a request has no `metrics` parameter.' }),
        }),
      )
      .meta({ description: 'Metrics that are available as time series; empty if the platform provides only current values.' }),
    periods: z.array(z.string()).meta({ description: 'The values that `period` can have, the default first.', example: ['day'] }),
    time_zone: z.string().meta({ description: 'The time zone in which the platform counts days.', example: 'UTC' }),
    days_back: z.int().meta({ description: 'How many days of the past can be read; also the longest range. 0: only current values.' }),
    days_per_call: z
      .int()
      .meta({ description: 'How many days one call of the platform can cover. Longer ranges are read in several calls.' }),
    settled_after_days: z.int().meta({ description: 'After how many days the statistics of a day no longer change.' }),
    fresh_seconds: z.int().meta({ description: 'For how many seconds statistics are cached before the platform is read again.' }),
  })
  .meta({ id: 'PlatformStatistics' });

/** The longest range that can be read. */
const MOST_DAYS = 731;

export const statisticsFrom = (rules: NonNullable<PlatformRules['readingRules']>): z.input<typeof platformStatistics> => ({
  metrics: rules.metrics.map(({ name, description, isOptional }) => ({ name, description, is_default: isOptional !== true })),
  periods: [...rules.periods],
  time_zone: rules.timeZone,
  days_back: Math.min(rules.keptDays, MOST_DAYS),
  days_per_call: rules.daysPerCall,
  settled_after_days: rules.settledDays,
  fresh_seconds: rules.freshSeconds,
});
