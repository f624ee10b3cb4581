import { parsePlatform, PLATFORM_ALIASES, PLATFORMS } from '@fanfare/connectors/platform';
import { z } from 'zod';

/** A platform in a request: its name or an alias, case-insensitive. */
export const platformName = () =>
  z
    .string()
    .transform((name, context) => {
      const platform = parsePlatform(name);
      if (platform) return platform;
      context.addIssue({ code: 'custom', message: `must be one of ${PLATFORMS.join(', ')}`, input: name });
      return z.NEVER;
    })
    .meta({
      description: `Case-insensitive: ${PLATFORMS.join(', ')}; also ${[...PLATFORM_ALIASES.keys()].join(', ')}.`,
      example: 'instagram',
    });

/** A list of platforms to restrict publishing to. Callers omit it or send null for all of them. */
export const platformNames = () =>
  z
    .array(platformName())
    .min(1)
    .max(50)
    .transform((names) => [...new Set(names)]);
