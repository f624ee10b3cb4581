import type { OverrideInput, PlatformOverride } from '@fanfare/contracts/content';
import { z } from 'zod';
import { checkOptions, platformOptionsOf } from './platform-options.ts';
import { platformName } from './platform-name.ts';
import { text, webUrl } from './text.ts';

/** What one platform publishes instead of the post's own fields; null means that the post's own is used. */
export const platformOverride = z
  .object({
    platform: z.string(),
    caption: z.string().nullable(),
    media_urls: z.array(z.string()).nullable(),
    title: z.string().nullable(),
    link: z.string().nullable(),
    first_comment: z.string().nullable(),
    options: platformOptionsOf(),
  })
  .meta({ id: 'PlatformOverride' });

export function platformOverrideFromProto(override: PlatformOverride): z.input<typeof platformOverride> {
  return {
    platform: override.platform,
    caption: override.caption ?? null,
    media_urls: override.media?.items.map(({ url }) => url) ?? null,
    title: override.title ?? null,
    link: override.link ?? null,
    first_comment: override.firstComment ?? null,
    options: override.options ?? null,
  };
}

export const platformOverrideInput = z
  .strictObject({
    platform: platformName(),
    caption: text(100_000).nullish(),
    media_urls: z.array(text(8192)).max(50).nullish(),
    title: text(1000).nullish(),
    link: webUrl().nullish(),
    first_comment: text(10_000).nullish(),
    options: platformOptionsOf().optional(),
  })
  .check(checkOptions)
  .meta({ id: 'PlatformOverrideInput' });

export function toOverrideInput(given: z.output<typeof platformOverrideInput>): OverrideInput {
  return {
    override: {
      platform: given.platform,
      caption: given.caption ?? undefined,
      media: undefined,
      title: given.title ?? undefined,
      link: given.link ?? undefined,
      firstComment: given.first_comment ?? undefined,
      options: given.options ?? undefined,
    },
    mediaUrls: given.media_urls ? { urls: given.media_urls } : undefined,
  };
}
