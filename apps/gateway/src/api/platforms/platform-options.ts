import type { Platform } from '@fanfare/connectors/platform';
import { platformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';

/** One object for every platform, or null; which one it has to be follows from the platform beside it: see `checkOptions`. */
export const platformOptionsOf = () =>
  z
    .record(z.string().max(100), z.unknown())
    .nullable()
    .meta({
      description: 'Options that only this platform has, described by the schema with its name.',
      anyOf: [
        ...Object.keys(platformRules).map((platform) => ({ $ref: `#/components/schemas/${schemaName(platform)}` })),
        { type: 'null' },
      ],
    });

/** For the OpenAPI document, under the names that are referred to above. */
export const platformOptionSchemas: readonly z.ZodObject[] = Object.entries(platformRules).map(([platform, { options }]) =>
  options.meta({ id: schemaName(platform) }),
);

/** Holds `options` against the schema of `platform`, both members of one object, and says what is wrong with which member. */
export function checkOptions({
  value,
  issues,
}: z.core.ParsePayload<{ platform?: Platform | null | undefined; options?: Record<string, unknown> | null | undefined }>): void {
  // Of which platform an account is, content knows.
  if (!value.options || !value.platform) return;
  const schema = platformRules[value.platform]?.options;
  if (!schema) {
    issues.push({ code: 'custom', path: ['options'], message: `are not available for ${value.platform}`, input: value.options });
    return;
  }
  for (const { message, path, ...issue } of schema.safeParse(value.options, { reportInput: true }).error?.issues ?? []) {
    // Without the validator's message: the words are chosen where all others are. A rule of the platform's own has its own.
    const own = issue.code === 'custom' ? { message } : {};
    issues.push({ ...issue, ...own, path: ['options', ...path] } as z.core.$ZodRawIssue);
  }
}

/** `google_business` → `GoogleBusinessOptions` */
function schemaName(platform: string): string {
  return `${platform.replace(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())}Options`;
}
