import type { PlatformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';

/** What can be asked of the statistics of a platform's accounts. */
export const platformStatistics = z
  .object({
    metrics: z
      .array(
        z.object({
          name: z.string().meta({ description: "The platform's own name: a value for `metrics`, and a key of `raw_metrics`." }),
          description: z.string(),
          is_default: z.boolean().meta({ description: 'Whether it is returned without `metrics`.' }),
        }),
      )
      .meta({ description: 'Metrics over time; empty if the platform has only current numbers.' }),
    periods: z.array(z.string()).meta({ description: 'The values for `period`, the default first.', example: ['day'] }),
    time_zone: z.string().meta({ description: 'The time zone of the days.', example: 'UTC' }),
    days_back: z
      .int()
      .meta({ description: 'How many days back numbers can be read, which is also the longest range; 0: only current numbers.' }),
    days_per_call: z.int().meta({ description: 'Longer ranges are read in parts of that many days and joined.' }),
    settled_after_days: z.int().meta({ description: 'The numbers of a day can still change for that many days.' }),
    fresh_seconds: z.int().meta({ description: 'For how long a response is returned again instead of asking the platform.' }),
  })
  .meta({ id: 'PlatformStatistics' });

/** The longest range that we read. */
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
