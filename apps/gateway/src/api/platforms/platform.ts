import { platformRules, type PlatformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';
import { platformLimits } from './platform-limits.ts';

/** A social platform, and what it takes: the tables that posts are checked by, and sent by. */
export const platform = z
  .object({
    name: z.string().meta({ example: 'pinterest' }),
    capabilities: z.array(z.string()).meta({
      description:
        'What accounts of it can do here: publish, first_comment, account_stats, post_stats, drafts. What one of them can, `capabilities` of its integration says.',
    }),
    limits: platformLimits,
    options: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema (2020-12) of the `options` of an override for it, and of the `settings` of its accounts.',
    }),
    needs_options: z.array(z.string()).meta({
      description:
        'Options without which nothing can be published: each is chosen in the override, or in the settings of the account. Where `limits.variants` has `needs_options`, those hold instead.',
    }),
    source: z.string().meta({ description: "The platform's own page about its limits." }),
    sources: z
      .object({ text: z.string(), images: z.string(), videos: z.string(), options: z.string() })
      .meta({ description: 'The same by what a limit is about; each is that of `source` where no page of its own is known.' }),
  })
  .meta({ id: 'Platform' });

/** All that there are, as they are in this build. */
export const everyPlatform: readonly z.input<typeof platform>[] = Object.entries(platformRules).map(([name, rules]) =>
  toPlatform(name, rules),
);

function toPlatform(name: string, { limits, options, capabilities, source, sources }: PlatformRules): z.input<typeof platform> {
  return {
    name,
    capabilities: [...capabilities],
    limits: inSnakeCase(limits) as z.input<typeof platformLimits>,
    options: z.toJSONSchema(options, { io: 'input' }),
    needs_options: [...(limits.needsOptions ?? [])],
    source,
    sources: { text: source, images: source, videos: source, options: source, ...sources },
  };
}

/** The same with its members' names as the API has them; names of options are so already. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), inSnakeCase(one)]),
  );
}
