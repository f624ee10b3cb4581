import type { Queue } from '@fanfare/contracts/content/queues';
import type { Db } from 'mongodb';
import type { QueueDocument } from './queue.ts';
import { findDefaultQueueId } from './store/default-queues.ts';
import { toQueue } from './store/queues.ts';

/** A queue as callers see it. */
export async function showQueue(db: Db, queue: QueueDocument): Promise<Queue> {
  const scope = { organizationId: queue.organization_id, businessId: queue.business_id };
  return toQueue(queue, (await findDefaultQueueId(db, scope)) === queue._id);
}
