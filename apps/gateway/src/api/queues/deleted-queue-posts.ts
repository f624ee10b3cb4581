import type { DeleteQueueRequest } from '@fanfare/contracts/content/queues';
import { z } from 'zod';

/** The query parameter of a deletion: what becomes of the posts of the queue. */
export const postsParam = () =>
  z
    .string({ error: 'must be given once' })
    .transform((text, context): Pick<DeleteQueueRequest, 'posts' | 'moveToQueueId'> => {
      if (text === 'unschedule') return { posts: 'POSTS_OF_DELETED_QUEUE_UNSCHEDULE', moveToQueueId: '' };
      const [, to] = /^move_to:(.{1,100})$/.exec(text) ?? [];
      if (to !== undefined) return { posts: 'POSTS_OF_DELETED_QUEUE_MOVE', moveToQueueId: to.toLowerCase() };
      context.addIssue({ code: 'custom', message: 'must be unschedule, or move_to: and the id of another queue' });
      return z.NEVER;
    })
    .optional()
    .meta({
      type: 'string',
      description:
        'What happens to the posts of the queue. `unschedule`: they are unscheduled. `move_to:{queue_id}`: they are moved to the end of another queue of this business. They keep the targets that they have in this queue. Required if the queue has posts.',
      example: 'unschedule',
    });
