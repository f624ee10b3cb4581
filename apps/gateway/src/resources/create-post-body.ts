import type { CreatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { postFields, toPostFields } from './post-fields.ts';
import { POST_STATUSES, statusToProto } from './post-status.ts';

export const createPostBody = z
  .strictObject({
    ...postFields,
    status: z.enum(POST_STATUSES).default('NEW').meta({
      description: 'SCHEDULED waits for scheduled_publish_time. PUBLISHED records a post that was published elsewhere: it is never sent.',
    }),
    scheduled_publish_time: postFields.scheduled_publish_time.meta({
      description: 'In the future. Required with status SCHEDULED, and only allowed with it. ISO 8601; UTC when it has no offset.',
    }),
  })
  .meta({ id: 'CreatePost' });

export function toCreatePostRequest(
  { status, ...body }: z.output<typeof createPostBody>,
  ids: { operationId: string; postId: string },
): CreatePostRequest {
  return { ...ids, ...toPostFields(body), status: statusToProto(status) };
}
