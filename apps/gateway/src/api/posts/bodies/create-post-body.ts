import type { CreatePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { POST_STATUSES, statusToProto } from '../fields/post-status.ts';
import { postFields, toPostFields } from './post-fields.ts';

const { caption, media_ids, media_urls, scheduled_publish_time, queue_id, ...others } = postFields;

/** In the order of the documentation: first the fields that every post has. */
export const createPostBody = z
  .strictObject({
    caption,
    media_ids,
    media_urls,
    status: z.enum(POST_STATUSES).optional().meta({
      description:
        'NEW, the default without `queue_id`: a draft that waits for review. DRAFT: approved. REJECTED: declined. All three can be published. SCHEDULED, the default with `queue_id`: published at scheduled_publish_time, or by the queue. PUBLISHED: records a post that was published elsewhere; Fanfare never publishes it.',
    }),
    scheduled_publish_time: scheduled_publish_time.meta({
      description:
        'A time in the future. Required with status SCHEDULED unless there is a queue_id, and not allowed otherwise. ISO 8601; UTC if it has no offset.',
    }),
    queue_id: queue_id.meta({ description: 'The queue to which the post is added, at its end. Not allowed with scheduled_publish_time.' }),
    ...others,
  })
  .meta({ id: 'CreatePost' });

export function toCreatePostRequest(
  { status, ...body }: z.output<typeof createPostBody>,
  ids: { operationId: string; postId: string },
): CreatePostRequest {
  const isQueued = typeof body.queue_id === 'string';
  return { ...ids, ...toPostFields(body), status: statusToProto(status ?? (isQueued ? 'SCHEDULED' : 'NEW')) };
}
