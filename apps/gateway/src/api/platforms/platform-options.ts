import type { Platform } from '@fanfare/connectors/platform';
import { platformRules } from '@fanfare/connectors/preflight';
import { z } from 'zod';

/** The options of any platform, or null. `checkOptions` checks them against the schema of the platform they are for. */
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

/** For the OpenAPI description, under the names that are referred to above. */
export const platformOptionSchemas: readonly z.ZodObject[] = Object.entries(platformRules).map(([platform, { options }]) =>
  options.meta({ id: schemaName(platform) }),
);

/** Checks `options` against the schema of `platform`, both members of the same object, and reports each problem with its path. */
export function checkOptions({
  value,
  issues,
}: z.core.ParsePayload<{ platform?: Platform | null | undefined; options?: Record<string, unknown> | null | undefined }>): void {
  // For an override of one account, the content service knows the platform.
  if (!value.options || !value.platform) return;
  const schema = platformRules[value.platform]?.options;
  if (!schema) {
    issues.push({ code: 'custom', path: ['options'], message: `are not available for ${value.platform}`, input: value.options });
    return;
  }
  for (const { message, path, ...issue } of schema.safeParse(value.options, { reportInput: true }).error?.issues ?? []) {
    // The validator's message is dropped, so that `issueMessage` writes it like all others. Custom rules of a platform keep their own message.
    const own = issue.code === 'custom' ? { message } : {};
    issues.push({ ...issue, ...own, path: ['options', ...path] } as z.core.$ZodRawIssue);
  }
}

/** `google_business` → `GoogleBusinessOptions` */
function schemaName(platform: string): string {
  return `${platform.replace(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())}Options`;
}
