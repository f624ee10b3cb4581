import type { CreatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { POST_STATUSES, statusToProto } from '../fields/post-status.ts';
import { postFields, toPostFields } from './post-fields.ts';

const { caption, media_ids, media_urls, scheduled_publish_time, ...others } = postFields;

/** In the order in which the documentation shows it: what every post has, then what some have. */
export const createPostBody = z
  .strictObject({
    caption,
    media_ids,
    media_urls,
    status: z.enum(POST_STATUSES).default('NEW').meta({
      description:
        'NEW is a draft that waits for review, DRAFT is approved, REJECTED is declined; all three can be published. SCHEDULED waits for scheduled_publish_time. PUBLISHED records a post that was published elsewhere: it is never sent.',
    }),
    scheduled_publish_time: scheduled_publish_time.meta({
      description: 'In the future. Required with status SCHEDULED, and only allowed with it. ISO 8601; UTC when it has no offset.',
    }),
    ...others,
  })
  .meta({ id: 'CreatePost' });

export function toCreatePostRequest(
  { status, ...body }: z.output<typeof createPostBody>,
  ids: { operationId: string; postId: string },
): CreatePostRequest {
  return { ...ids, ...toPostFields(body), status: statusToProto(status) };
}
