import type { CreatePostRequest, UpdatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { ownId, text, webUrl } from '../../../text/text.ts';
import { platformsWithCover } from '../../platforms/platform-lists.ts';
import { platformNames } from '../../platforms/platform-name.ts';
import { misfirePolicy, misfirePolicyToProto } from '../../common/misfire-policy.ts';
import { timestampInput } from '../../common/timestamp.ts';
import { metadataInput } from '../fields/metadata.ts';
import { platformOverrideInput, toOverrideInput } from '../fields/platform-override.ts';
import { strategy, strategyToProto } from '../fields/strategy.ts';

/** The targets of a post. */
export const targetFields = {
  restrict_publish_to: platformNames()
    .nullish()
    .meta({ description: 'Publish only on these platforms. If missing or null, the post is published on every connected platform.' }),
  restrict_publish_to_integration_ids: z
    .array(ownId())
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'Publish only to these connected accounts. Takes precedence over restrict_publish_to.' }),
};

export const repeatingCron = () =>
  text(200).nullish().meta({
    description:
      'Standard cron with five fields, in `repeating_timezone`: minute, hour, day of month, month, day of week. When publishing of the post starts, a new post is scheduled for the next occurrence after that moment, whether this one succeeds or not. Until then the cron has no effect. Null: the post does not repeat; to end a series, update any of its posts with null. Some platforms reject a text that repeats that of a recent post (`duplicate_content`). For these, change the caption of each post (`series: this` of `update_post`), or publish the series elsewhere.',
    example: '0 9 * * MON-FRI',
  });

export const repeatingTimezone = () =>
  text(100).nullish().meta({
    description:
      'The IANA time zone of `repeating_cron`; UTC by default. A series keeps its local time when clocks change. A time that does not exist on a day runs once, at the moment of the change; a time that occurs twice runs the first time. Only for repeating posts.',
    example: 'Europe/Berlin',
  });

export const misfirePolicyOfPost = () => misfirePolicy('Null: the `misfire_policy` of the business applies.');

/** The fields that can be set when a post is created or updated, in the order of the documentation. Members that can be null in a post can be sent as null. */
export const postFields = {
  caption: text(100_000).optional().meta({
    description: 'The text of the post on every platform without an override for it.',
    example: 'Fresh bread from seven.',
  }),
  media_ids: z.array(ownId()).max(100).optional().meta({
    description:
      'Media of this business, in order. Several media files make one post with several images. Send only one of media_ids, media_urls and design_id.',
  }),
  media_urls: z.array(text(8192)).max(50).optional().meta({
    description:
      'Public URLs of images or videos, which are downloaded and copied now. Send only one of media_ids, media_urls and design_id.',
  }),
  scheduled_publish_time: timestampInput().nullish(),
  queue_id: ownId().nullish(),
  ...targetFields,
  platform_overrides: z
    .array(platformOverrideInput)
    .max(50)
    .optional()
    .meta({ description: 'Fields that replace those of the post on a platform or account, and the options of that platform.' }),
  link: webUrl().nullish().meta({ description: 'The URL that the post links to, on platforms that support it.' }),
  cover_media_id: ownId()
    .nullish()
    .meta({ description: `The id of the cover image of a video (${platformsWithCover('cover_media_id')}).` }),
  video_cover_timestamp_ms: z
    .int()
    .min(0)
    .nullish()
    .meta({
      description: `The frame to use as the cover of a video, in milliseconds from its start (${platformsWithCover('video_cover_timestamp_ms')}).`,
    }),
  design_id: ownId()
    .nullish()
    .meta({ description: 'The design whose media the post uses. Send only one of media_ids, media_urls and design_id.' }),
  repeating_cron: repeatingCron(),
  repeating_timezone: repeatingTimezone(),
  misfire_policy: misfirePolicyOfPost(),
  strategy: strategy(),
  metadata: metadataInput().optional().meta({ description: 'Your own keys and values. They are stored and returned unchanged.' }),
};

type Given = z.output<z.ZodObject<typeof postFields>>;

/** The fields of a body as the content service expects them; omitted fields are empty. */
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
    queueId: body.queue_id ?? undefined,
    metadata: body.metadata ?? [],
    platformOverrides: (body.platform_overrides ?? []).map(toOverrideInput),
    repeatingCron: body.repeating_cron ?? undefined,
    repeatingTimezone: body.repeating_timezone ?? undefined,
    misfirePolicy: misfirePolicyToProto(body.misfire_policy),
    strategy: strategyToProto(body.strategy),
  };
}

type CreateOnly = 'operationId' | 'postId' | 'status';
type UpdateOnly = 'expectedRevisions' | 'updateMask' | 'series';
