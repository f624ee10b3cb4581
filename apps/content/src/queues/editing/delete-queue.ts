import type { DeleteQueueRequest } from '@fanfare/contracts/content/queues';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { Emptying, QueueDocument } from '../queue.ts';
import { lockDefaultQueue, setDefaultQueue } from '../store/default-queues.ts';
import { editQueue, findOldestQueue, findQueue, setNextSlot } from '../store/queues.ts';

/**
 * Marks a queue as deleted: from here on it publishes nothing, and gets no more posts.
 * @returns the queue; with `emptying` if it still has posts, which `emptyQueue` must take out
 */
export const deleteQueue = (
  context: Pick<Context, 'db' | 'transact'>,
  request: DeleteQueueRequest,
  metadata: CallMetadata,
): Promise<QueueDocument> => context.transact((session) => markDeleted(context, request, metadata, session), metadata.businessId);

async function markDeleted(
  { db }: Pick<Context, 'db'>,
  request: DeleteQueueRequest,
  metadata: CallMetadata,
  session: ClientSession,
): Promise<QueueDocument> {
  const { queueId, operationId, expectedRevisions } = request;
  const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
  const before = await findQueue(db, metadata, queueId, session);
  const emptying = before && before.post_count > 0 ? await emptyingOf(db, request, metadata, session) : undefined;
  const deleted = await editQueue(db, metadata, queueId, { deleted: true, ...(emptying && { emptying }) }, edit, session);
  if (!deleted) throw notFound('queue');
  if (!before) return deleted;
  await setNextSlot(db, queueId, undefined, session);
  const defaultId = await lockDefaultQueue(db, metadata, session);
  if (defaultId === queueId) await setDefaultQueue(db, metadata, (await findOldestQueue(db, metadata, session))?._id, session);
  return deleted;
}

/** @throws DomainError invalid_request `posts`, invalid_value `posts` */
async function emptyingOf(
  db: Context['db'],
  { queueId, posts, moveToQueueId: to }: DeleteQueueRequest,
  metadata: CallMetadata,
  session: ClientSession,
): Promise<Emptying> {
  const { flowId, actor, requestId } = metadata;
  const cause = { flow_id: flowId, actor, request_id: requestId };
  if (posts === 'POSTS_OF_DELETED_QUEUE_UNSCHEDULE') return cause;
  if (posts !== 'POSTS_OF_DELETED_QUEUE_MOVE')
    throw new DomainError(
      'invalid_request',
      'This queue has posts. Choose what happens to them: send the query parameter posts=unschedule, or posts=move_to:{queue_id} with the id of another queue.',
      {
        param: 'posts',
      },
    );
  if (to === queueId || !(await findQueue(db, metadata, to, session)))
    throw new DomainError('invalid_value', 'This business has no other queue with this id.', { param: 'posts' });
  return { ...cause, to };
}
