import type { QueueDocument } from './queue.ts';
import { slotTimes } from './slot-times.ts';

/** A slot that is handled later than this, because no process was running, is skipped: posts of missed slots must not be sent in a burst. */
export const MISSED_AFTER_MS = 5 * 60_000;

type Scheduled = Pick<QueueDocument, 'slots' | 'timezone'>;

/** The first slot after a moment. */
export const slotAfter = ({ slots, timezone }: Scheduled, after: Date): Date => slotTimes(slots, timezone).nth(after, 1);

/** The next slot of a queue whose slots, time zone or pause were changed; undefined if it has none. An empty queue that was reported needs none. */
export function nextSlot(queue: QueueDocument, now: Date): Date | undefined {
  if (queue.deleted || queue.paused) return undefined;
  if (queue.post_count === 0 && queue.next_slot_at === undefined) return undefined;
  return slotAfter(queue, now);
}
