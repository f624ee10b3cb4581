import type { PlatformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';

const UNITS = ['count', 'seconds', 'minutes', 'percent', 'ratio'] as const;
const metric = {
  name: z.string().meta({ description: "The platform's own name." }),
  description: z.string(),
  unit: z.enum(UNITS).meta({ description: 'What the values are; `ratio` is from 0 to 1.' }),
};

/** The statistics that a platform provides. */
export const platformStatistics = z
  .object({
    is_on: z.boolean().nullable().meta({
      description:
        'Whether this server reads statistics of the platform. false: an operator has turned them off, for example because the platform charges for each read; statistics are then null, with an `unavailable_reason`. null: currently unknown.',
    }),
    metrics: z
      .array(
        z.object({
          ...metric,
          is_default: z.boolean().meta({ description: 'Whether the metric is returned if a request has no `metrics` parameter.' }),
        }),
      )
      .meta({
        description:
          'Metrics of a range of days: the values that the parameter `metrics` can have. Most are time series; for the others, the response has one total over the range (`period` is `range`). Empty if the platform provides only current values.',
      }),
    raw_metrics: z.array(z.object(metric)).meta({
      description:
        'The names that can appear in `raw_metrics` of an account, with the total over the range or the latest value. A name that is also in `metrics` appears only if the request reads that metric.',
    }),
    audience: z.array(z.enum(['age', 'gender', 'country', 'city', 'industry', 'seniority', 'function'])).meta({
      description:
        'The breakdowns of the audience that the platform provides. `age` stands for `audience_age_pct` in the statistics of an account, and so on; all other breakdowns are null.',
    }),
    periods: z.array(z.string()).meta({ description: 'The values that `period` can have, the default first.', example: ['day'] }),
    time_zone: z.string().meta({ description: 'The time zone in which the platform counts days.', example: 'UTC' }),
    days_back: z.int().meta({
      description:
        'How many days back statistics can be read; also the longest range, in days. 0: the platform provides only current values. Then `start_date` and `end_date` (up to 731 days back) do not change the values, and the response only repeats them.',
    }),
    days_per_call: z
      .int()
      .meta({ description: 'How many days one call of the platform can cover. Longer ranges are read in several calls.' }),
    settled_after_days: z.int().meta({ description: 'After how many days the statistics of a day no longer change.' }),
    fresh_seconds: z.int().meta({ description: 'For how many seconds statistics are cached before the platform is read again.' }),
  })
  .meta({ id: 'PlatformStatistics' });

/** The longest range that can be read. */
const MOST_DAYS = 731;

/** All but `is_on`, which depends on the settings of the server. */
export const statisticsFrom = ({
  metrics,
  rawMetrics = [],
  audience = [],
  ...rules
}: NonNullable<PlatformRules['readingRules']>): Omit<z.input<typeof platformStatistics>, 'is_on'> => {
  const described = ({ name, description, unit }: (typeof rawMetrics)[number]) => ({ name, description, unit: unit ?? ('count' as const) });
  return {
    metrics: metrics.map((one) => ({ ...described(one), is_default: one.isOptional !== true })),
    raw_metrics: [...metrics.filter(({ hasNoTotal }) => !hasNoTotal), ...rawMetrics].map(described),
    audience: [...audience],
    periods: [...rules.periods],
    time_zone: rules.timeZone,
    days_back: Math.min(rules.keptDays, MOST_DAYS),
    days_per_call: rules.daysPerCall,
    settled_after_days: rules.settledDays,
    fresh_seconds: rules.freshSeconds,
  };
};
