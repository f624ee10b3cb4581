import type { OverrideInput } from '@fanfare/contracts/content';
import { z } from 'zod';
import { ownId, text, webUrl } from '../../../text/text.ts';
import { platformName } from '../../platforms/platform-name.ts';
import { checkOptions, platformOptionsOf } from '../../platforms/platform-options.ts';

/** Values for one platform or account that replace those of the post; null means that a field is not overridden. */
export const platformOverride = z
  .object({
    platform: z.string().nullable().meta({ description: 'Null for an override of an account.' }),
    integration_id: z.string().nullable().meta({ description: 'The connected account that the override applies to; null for a platform.' }),
    caption: z.string().nullable(),
    media_urls: z.array(z.string()).nullable(),
    title: z.string().nullable(),
    link: z.string().nullable(),
    first_comment: z.string().nullable(),
    options: platformOptionsOf(),
  })
  .meta({ id: 'PlatformOverride' });

export const platformOverrideInput = z
  .strictObject({
    platform: platformName().nullish().meta({ description: 'The platform that the override applies to. Send this or integration_id.' }),
    integration_id: ownId().nullish().meta({
      description:
        'The connected account that the override applies to, instead of a platform. Its fields and options take precedence over the override of the platform.',
    }),
    caption: text(100_000).nullish(),
    media_ids: z.array(ownId()).max(100).nullish().meta({ description: 'Media, in order. Do not send it with media_urls.' }),
    media_urls: z
      .array(text(8192))
      .max(50)
      .nullish()
      .meta({ description: 'URLs that are downloaded and copied now. Do not send it with media_ids.' }),
    title: text(1000).nullish(),
    link: webUrl().nullish(),
    first_comment: text(10_000).nullish(),
    options: platformOptionsOf().optional(),
  })
  .check(isForSomebody(), checkOptions)
  .meta({ id: 'PlatformOverrideInput' });

/** Checked for every object, even if it has other problems. The content service rejects overrides that name both. */
function isForSomebody() {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const check = new z.core.$ZodCheck({ check: 'custom', when: ({ value }) => isObject(value) });
  check._zod.check = ({ value, issues }) => {
    const { platform, integration_id } = value as { platform?: unknown; integration_id?: unknown };
    if ((platform ?? integration_id ?? null) !== null) return;
    issues.unshift({ code: 'custom', path: ['platform'], message: 'or integration_id is required', input: undefined });
  };
  return check;
}

export function toOverrideInput(given: z.output<typeof platformOverrideInput>): OverrideInput {
  return {
    override: {
      platform: given.platform ?? '',
      integrationId: given.integration_id ?? undefined,
      caption: given.caption ?? undefined,
      media: undefined,
      title: given.title ?? undefined,
      link: given.link ?? undefined,
      firstComment: given.first_comment ?? undefined,
      options: given.options ?? undefined,
    },
    mediaUrls: given.media_urls ? { urls: given.media_urls } : undefined,
    mediaIds: given.media_ids ? { items: given.media_ids } : undefined,
  };
}
