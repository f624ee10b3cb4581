import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { findQueue } from './store/queues.ts';

/** @throws DomainError invalid_value `queue_id` if the business has no such queue */
export async function checkQueue(
  db: Db,
  scope: { readonly organizationId: string; readonly businessId: string },
  queueId: string | undefined,
): Promise<void> {
  if (queueId !== undefined && !(await findQueue(db, scope, queueId))) throw unknownQueue();
}

export const unknownQueue = () => new DomainError('invalid_value', 'This business has no queue with this id.', { param: 'queue_id' });
