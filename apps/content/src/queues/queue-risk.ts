import type { Risk } from '@fanfare/contracts/content';
import type { QueueDocument } from './queue.ts';

export const QUEUE_PAUSED = 'queue_paused';

/** The risks that a post has because of its queue. */
export function queueRisks(queue: Pick<QueueDocument, 'paused'> | undefined): Risk[] {
  if (!queue?.paused) return [];
  const detail = 'The queue of this post is paused. It is published only after the queue is resumed.';
  const none = { mediaId: undefined, platform: undefined, field: undefined, limit: undefined, value: undefined, source: undefined };
  return [{ code: QUEUE_PAUSED, detail, ...none, fix: [] }];
}
