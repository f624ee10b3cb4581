import type { QueuePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { ownId } from '../../../text/text.ts';

export const queuePostBody = z
  .strictObject({
    queue_id: ownId()
      .optional()
      .meta({ description: 'The queue. By default the one that the post is in, otherwise the default queue of the business.' }),
    position: z
      .union([z.enum(['first', 'last']), z.int().min(1)], { error: 'must be "first", "last" or a whole number from 1' })
      .optional()
      .meta({
        description:
          'The position of the post in the queue after the move, from 1; `last` by default. A number beyond the last position means `last`.',
      }),
  })
  .meta({ id: 'QueuePost' });

export const toQueuePostRequest = (
  { queue_id, position }: z.output<typeof queuePostBody>,
  change: { operationId: string; postId: string; expectedRevisions: number[] },
): QueuePostRequest => ({
  ...change,
  queueId: queue_id,
  position: position === 'first' ? 1 : position === 'last' ? undefined : position,
});
