import type { CreatePostRequest, UpdatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { ownId, text, webUrl } from '../../../text/text.ts';
import { platformNames } from '../../platforms/platform-name.ts';
import { timestampInput } from '../../shared/timestamp.ts';
import { metadataInput } from '../fields/metadata.ts';
import { platformOverrideInput, toOverrideInput } from '../fields/platform-override.ts';

/** Where a post goes. */
export const targetFields = {
  restrict_publish_to: platformNames()
    .nullish()
    .meta({ description: 'Publish on these platforms only. Leave it out, or send null, to publish on every connected one.' }),
  restrict_publish_to_integration_ids: z
    .array(ownId())
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'Publish to exactly these connected accounts. It wins over restrict_publish_to.' }),
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

/** What a post may be given, when it is created and later; in the order in which the documentation shows it. Members that a post shows as null may be sent as null. */
export const postFields = {
  caption: text(100_000).optional().meta({
    description: 'The text that every platform publishes, unless an override has another one.',
    example: 'Fresh bread from seven.',
  }),
  media_ids: z.array(ownId()).max(100).optional().meta({
    description:
      'Media of this business, in order; several make one post with several pictures. Send one of media_ids, media_urls and design_id.',
  }),
  media_urls: z.array(text(8192)).max(50).optional().meta({
    description: 'Public URLs of images or videos, which are fetched and copied now. Send one of media_ids, media_urls and design_id.',
  }),
  scheduled_publish_time: timestampInput().nullish(),
  ...targetFields,
  platform_overrides: z
    .array(platformOverrideInput)
    .max(50)
    .optional()
    .meta({ description: 'What a platform publishes instead of the fields of the post, and the options of that platform.' }),
  link: webUrl().nullish().meta({ description: 'Where a click on the post leads, on platforms that have such a link.' }),
  cover_media_id: ownId().nullish().meta({ description: 'Id of the image that becomes the cover of a video, on platforms that take one.' }),
  video_cover_timestamp_ms: z
    .int()
    .min(0)
    .nullish()
    .meta({ description: 'The frame that TikTok shows as the cover, in milliseconds from the start.' }),
  design_id: ownId()
    .nullish()
    .meta({ description: 'The design whose media the post has. Send one of media_ids, media_urls and design_id.' }),
  repeating_cron: repeatingCron(),
  repeating_timezone: repeatingTimezone(),
  metadata: metadataInput()
    .optional()
    .meta({ description: 'Your own keys and values. They are returned as they are, and mean nothing to us.' }),
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
