import type { UpdatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { postFields, toPostFields } from './post-fields.ts';

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
      description: 'A new time in the future for a SCHEDULED post. To schedule or unschedule a post, use /schedule and /unschedule.',
    }),
    metadata: postFields.metadata.meta({ description: 'Replaces all metadata of the post.' }),
    platform_overrides: postFields.platform_overrides.meta({ description: 'Replaces all overrides of the post.' }),
  })
  .meta({ id: 'UpdatePost' });

export function toUpdatePostRequest(
  body: z.output<typeof updatePostBody>,
  change: { operationId: string; postId: string; expectedRevisions: number[] },
): UpdatePostRequest {
  return { ...change, ...toPostFields(body), updateMask: Object.keys(body) };
}
