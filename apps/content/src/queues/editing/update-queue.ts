import type { UpdateQueueRequest } from '@fanfare/contracts/content/queues';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { findTimezone } from '../../businesses/store/businesses.ts';
import type { Context } from '../../context.ts';
import { riskCheckRows } from '../../fan-out/store/risk-checks.ts';
import { nextSlot } from '../next-slot.ts';
import type { QueueDocument } from '../queue.ts';
import { lockDefaultQueue, setDefaultQueue } from '../store/default-queues.ts';
import { editQueue, findQueue, setNextSlot } from '../store/queues.ts';
import { changedQueueFields } from './queue-fields.ts';

/** Changes a queue, its next slot, and whether it is the default. A repeated update returns the stored queue. */
export async function updateQueue(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  request: UpdateQueueRequest,
  metadata: CallMetadata,
): Promise<QueueDocument> {
  const { queueId, operationId, expectedRevisions } = request;
  const timezone = await findTimezone(db, metadata.businessId);
  const changes = changedQueueFields(request, timezone);
  return transact(async (session) => {
    const at = now(metadata.organizationId);
    const before = await findQueue(db, metadata, queueId, session);
    const after = before && (await editQueue(db, metadata, queueId, changes, { operationId, expectedRevisions, at }, session));
    if (!after) throw notFound('queue');
    if (before.operation_ids?.includes(operationId)) return after;
    if (request.updateMask?.includes('is_default')) await changeDefault(db, metadata, request, session);
    const { slots, timezone: zone, paused, restrict_publish_to: targets } = changes;
    const isRetimed = slots !== undefined || zone !== undefined || paused !== undefined;
    const next = isRetimed ? nextSlot(after, at) : after.next_slot_at;
    await setNextSlot(db, queueId, next, session);
    const row = { _id: queueId, organization_id: metadata.organizationId, business_id: metadata.businessId, revision: after.revision };
    // Its posts may go to platforms without an account now, those of a paused queue are at risk, and other times may use a quota that is promised to other posts.
    if (targets || isRetimed) await riskCheckRows.put(db, row, session);
    const { next_slot_at: _before, ...rest } = after;
    return next ? { ...rest, next_slot_at: next } : rest;
  }, metadata.businessId);
}

async function changeDefault(
  db: Context['db'],
  metadata: CallMetadata,
  { queueId, isDefault }: UpdateQueueRequest,
  session: ClientSession,
): Promise<void> {
  const current = await lockDefaultQueue(db, metadata, session);
  if (isDefault) return setDefaultQueue(db, metadata, queueId, session);
  if (current !== queueId) return;
  throw new DomainError('invalid_request', 'This is the default queue. Make another queue the default instead.', { param: 'is_default' });
}
