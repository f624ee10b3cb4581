import type { UpdatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { postFields, toPostFields } from './post-fields.ts';

const SERIES_EDITS = {
  unspecified: 'SERIES_EDIT_UNSPECIFIED',
  this: 'SERIES_EDIT_THIS',
  following: 'SERIES_EDIT_FOLLOWING',
} as const;

/** Has no status: separate operations change it and check that the change is allowed. */
export const updatePostBody = z
  .strictObject({
    ...postFields,
    media_ids: postFields.media_ids.meta({
      description: 'Replaces the media of the post. Send only one of media_ids, media_urls and design_id.',
    }),
    media_urls: postFields.media_urls.meta({
      description:
        'Replaces the media of the post; the URLs are downloaded and copied now. Send only one of media_ids, media_urls and design_id.',
    }),
    scheduled_publish_time: postFields.scheduled_publish_time.meta({
      description:
        'A new time in the future for a SCHEDULED post. To schedule or unschedule a post, use /schedule and /unschedule. A post in a queue leaves it.',
    }),
    queue_id: postFields.queue_id.meta({
      description:
        'Puts the post at the end of this queue, unless it is in it. To move it within a queue use /queue, to take it out /unschedule.',
    }),
    metadata: postFields.metadata.meta({ description: 'Replaces all metadata of the post.' }),
    platform_overrides: postFields.platform_overrides.meta({ description: 'Replaces all overrides of the post.' }),
    series: z.enum(['this', 'following']).optional().meta({
      description:
        'For a post of a series: `this` changes only this post, `following` this one and those that follow. By default the same as `following` for the newest post of the series, whose next one does not exist yet, and as `this` for all others. `scheduled_publish_time` is always of this post alone: `repeating_cron` decides when the others are published.',
    }),
  })
  .meta({ id: 'UpdatePost' });

export function toUpdatePostRequest(
  body: z.output<typeof updatePostBody>,
  change: { operationId: string; postId: string; expectedRevisions: number[] },
): UpdatePostRequest {
  const { series, ...fields } = body;
  return { ...change, ...toPostFields(fields), updateMask: Object.keys(fields), series: SERIES_EDITS[series ?? 'unspecified'] };
}
