import { platformRules, type PlatformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';
import { platformLimits } from './platform-limits.ts';
import { platformStatistics, statisticsFrom } from './platform-statistics.ts';

/** A social platform and its limits: posts are validated and sent according to these tables. */
export const platform = z
  .object({
    name: z.string().meta({ example: 'pinterest' }),
    capabilities: z.array(z.string()).meta({
      description:
        'What accounts of this platform can do: publish, first_comment, account_stats, post_stats, drafts, unpublish. Without unpublish, only a person can remove a post from the platform. `capabilities` of an integration shows what that account can do.',
    }),
    limits: platformLimits,
    options: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema (2020-12) of the `options` of an override for this platform and of the `settings` of its accounts.',
    }),
    needs_options: z.array(z.string()).meta({
      description:
        'Options that are required to publish: set each in the override or in the settings of the account. `needs_options` in `limits.variants` replaces this list.',
    }),
    statistics: platformStatistics
      .nullable()
      .meta({ description: 'The statistics that are available for accounts of this platform; null if there are none.' }),
    source: z.string().meta({ description: "The platform's page about its limits." }),
    sources: z
      .object({ text: z.string(), images: z.string(), videos: z.string(), options: z.string() })
      .meta({ description: 'Pages for individual limits; `source` if a limit has no page of its own.' }),
  })
  .meta({ id: 'Platform' });

/**
 * All platforms of this build.
 * @param readsOff the platforms whose statistics are not read; undefined if that is unknown
 */
export const everyPlatform = (readsOff?: readonly string[]): z.input<typeof platform>[] =>
  Object.entries(platformRules).map(([name, rules]) => toPlatform(name, rules, readsOff));

function toPlatform(
  name: string,
  { limits, options, capabilities, readingRules, source, sources }: PlatformRules,
  readsOff: readonly string[] | undefined,
): z.input<typeof platform> {
  return {
    name,
    capabilities: [...capabilities],
    limits: inSnakeCase(limits) as z.input<typeof platformLimits>,
    options: z.toJSONSchema(options, { io: 'input' }),
    needs_options: [...(limits.needsOptions ?? [])],
    statistics: readingRules ? { is_on: readsOff ? !readsOff.includes(name) : null, ...statisticsFrom(readingRules) } : null,
    source,
    sources: { text: source, images: source, videos: source, options: source, ...sources },
  };
}

/** The same with member names in snake case, as in the API; option names already are. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), inSnakeCase(one)]),
  );
}
