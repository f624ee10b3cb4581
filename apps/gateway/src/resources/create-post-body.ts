import type { CreatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { metadataInput } from './metadata.ts';
import { platformNames } from './platform-name.ts';
import { platformOverrideInput, toOverrideInput } from './platform-override.ts';
import { POST_STATUSES, statusToProto } from './post-status.ts';
import { text, webUrl } from './text.ts';
import { timestampInput } from './timestamp.ts';

/** What a post may be created with. Members that a post shows as null may be sent as null. */
export const createPostBody = z
  .strictObject({
    caption: text(100_000)
      .optional()
      .meta({ description: 'Published on every channel unless overridden.', example: 'Fresh bread from seven.' }),
    restrict_publish_to: platformNames().nullish().meta({ description: 'Platforms; leave out or null for every connected one.' }),
    restrict_publish_to_integration_ids: z.array(text(100)).min(1).max(100).nullish().meta({ description: 'Exact connected accounts.' }),
    media_ids: z.array(text(100)).max(100).optional().meta({ description: 'In order. Excludes media_urls and design_id.' }),
    media_urls: z.array(text(8192)).max(50).optional().meta({
      description: 'URLs of images or videos, fetched and copied now. Excludes media_ids and design_id.',
    }),
    design_id: text(100).nullish().meta({ description: 'Excludes media_ids and media_urls.' }),
    cover_media_id: text(100).nullish().meta({ description: 'Media id of the image that becomes the cover of a video.' }),
    video_cover_timestamp_ms: z.int().min(0).nullish().meta({ description: "TikTok's cover frame, from the start." }),
    status: z.enum(POST_STATUSES).default('NEW'),
    scheduled_publish_time: timestampInput().nullish().meta({ description: 'Required with status SCHEDULED, and only allowed with it.' }),
    link: webUrl().nullish().meta({ description: 'Clickable destination, for platforms that have one.' }),
    metadata: metadataInput().optional(),
    platform_overrides: z.array(platformOverrideInput).max(50).optional(),
  })
  .meta({ id: 'CreatePost' });

export function toCreatePostRequest(
  body: z.output<typeof createPostBody>,
  ids: { operationId: string; postId: string },
): CreatePostRequest {
  return {
    ...ids,
    caption: body.caption ?? '',
    status: statusToProto(body.status),
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
  };
}
