import type { CreatePostRequest, UpdatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { metadataInput } from './metadata.ts';
import { platformNames } from './platform-name.ts';
import { platformOverrideInput, toOverrideInput } from './platform-override.ts';
import { ownId, text, webUrl } from './text.ts';
import { timestampInput } from './timestamp.ts';

/** Where a post goes. */
export const targetFields = {
  restrict_publish_to: platformNames().nullish().meta({ description: 'Platforms; leave out or null for every connected one.' }),
  restrict_publish_to_integration_ids: z
    .array(ownId())
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'Exact connected accounts; they win over restrict_publish_to.' }),
};

export const repeatingCron = () =>
  text(200).nullish().meta({
    description:
      'Five fields of standard cron, in `repeating_timezone`: minute, hour, day of month, month, day of week. When the post is sent, the next occurrence, strictly after that moment, is created as a new scheduled post, whatever becomes of this one. It has no effect before. Null means one-off.',
    example: '0 9 * * MON-FRI',
  });

export const repeatingTimezone = () =>
  text(100).nullish().meta({
    description:
      'The IANA time zone of `repeating_cron`, UTC by default: a series keeps its hour when clocks change. An hour that is left out then comes once, at the moment of the change; one that comes twice, the first time. Only of a post that repeats.',
    example: 'Europe/Berlin',
  });

/** What a post may be given, when it is created and later. Members that a post shows as null may be sent as null. */
export const postFields = {
  caption: text(100_000)
    .optional()
    .meta({ description: 'Published on every channel unless overridden.', example: 'Fresh bread from seven.' }),
  ...targetFields,
  media_ids: z.array(ownId()).max(100).optional().meta({ description: 'In order. Excludes media_urls and design_id.' }),
  media_urls: z.array(text(8192)).max(50).optional().meta({
    description: 'URLs of images or videos, fetched and copied now. Excludes media_ids and design_id.',
  }),
  design_id: ownId().nullish().meta({ description: 'Excludes media_ids and media_urls.' }),
  cover_media_id: ownId().nullish().meta({ description: 'Media id of the image that becomes the cover of a video.' }),
  video_cover_timestamp_ms: z.int().min(0).nullish().meta({ description: "TikTok's cover frame, from the start." }),
  scheduled_publish_time: timestampInput().nullish(),
  link: webUrl().nullish().meta({ description: 'Clickable destination, for platforms that have one.' }),
  metadata: metadataInput().optional(),
  platform_overrides: z.array(platformOverrideInput).max(50).optional(),
  repeating_cron: repeatingCron(),
  repeating_timezone: repeatingTimezone(),
};

type Given = z.output<z.ZodObject<typeof postFields>>;

/** The fields that are given, as content takes them; those that are not, empty. */
export function toPostFields(body: Given): Omit<CreatePostRequest & UpdatePostRequest, CreateOnly | UpdateOnly> {
  return {
    caption: body.caption ?? '',
    mediaIds: body.media_ids ?? [],
    mediaUrls: body.media_urls ?? [],
    designId: body.design_id ?? undefined,
    coverMediaId: body.cover_media_id ?? undefined,
    videoCoverTimestampMs: body.video_cover_timestamp_ms ?? undefined,
    link: body.link ?? undefined,
    restrictPublishTo: body.restrict_publish_to ?? [],
    restrictPublishToIntegrationIds: body.restrict_publish_to_integration_ids ?? [],
    scheduledPublishTime: body.scheduled_publish_time ?? undefined,
    metadata: body.metadata ?? [],
    platformOverrides: (body.platform_overrides ?? []).map(toOverrideInput),
    repeatingCron: body.repeating_cron ?? undefined,
    repeatingTimezone: body.repeating_timezone ?? undefined,
  };
}

type CreateOnly = 'operationId' | 'postId' | 'status';
type UpdateOnly = 'expectedRevisions' | 'updateMask';
