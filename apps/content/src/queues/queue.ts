import type { QueueSlot } from '@fanfare/contracts/content/queues';
import type { Editable } from '@fanfare/mongo';

/** A queue. Every change of its posts writes this document in the same transaction, so changes of one queue have an order. */
export interface QueueDocument extends Editable {
  organization_id: string;
  business_id: string;
  created_at: Date;
  revision: number;
  name: string;
  slots: QueueSlot[];
  timezone: string;
  paused: boolean;
  /** The platforms of posts without a restriction of their own; empty: all connected ones. */
  restrict_publish_to: string[];
  /** How many posts its blocks have. */
  post_count: number;
  /**
   * Its next slot. Absent if it is paused, deleted, or empty. If its last post was taken out by other means than a slot, it stays until that slot comes,
   * which shows that the queue is empty.
   */
  next_slot_at?: Date;
  /** The post of its last slot that published one; absent if there is none. */
  sent_post_id?: string;
  deleted: boolean;
  /** Present in a deleted queue until its last post has left it. */
  emptying?: Emptying;
}

/** What becomes of the posts of a deleted queue, and who deleted it. */
export interface Emptying {
  /** Where its posts go; absent: they are unscheduled. */
  to?: string;
  flow_id: string;
  actor: string;
  request_id?: string;
}
