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
        'A new time in the future for a SCHEDULED post. To schedule or unschedule a post, use `schedule_post` and `unschedule_post`. A post in a queue leaves the queue.',
    }),
    queue_id: postFields.queue_id.meta({
      description:
        'Puts the post at the end of this queue, unless it is in this queue already. To move it within a queue, use `queue_post`; to take it out, use `unschedule_post`.',
    }),
    repeating_cron: postFields.repeating_cron.meta({
      description:
        'When the series continues, as in `create_post`. A different cron for the newest post of a series starts a new series. Null ends the series, whichever of its posts you update: no further post of it is created. A post of it that is scheduled already stays scheduled: unschedule or delete it if it must not be published.',
      example: '0 9 * * MON-FRI',
    }),
    metadata: postFields.metadata.meta({ description: 'Replaces all metadata of the post.' }),
    platform_overrides: postFields.platform_overrides.meta({ description: 'Replaces all overrides of the post.' }),
    series: z.enum(['this', 'following']).optional().meta({
      description:
        'Which posts of a series the update changes. `this`: only this post. `following`: this post, and those that are created after it; this must be the newest post of the series, whose next one does not exist yet. If you leave `series` out, an update of the newest post is like `following`, and an update of any other post is like `this`. `scheduled_publish_time` is always of this post alone. `repeating_cron: null` ends the whole series, with `following` or without `series`, whichever of its posts you update.',
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
