import type { Queue } from '@fanfare/contracts/content/queues';
import { after, editOnce, isDuplicateKey, pageOf, parsePageToken, type Edit, type Page } from '@fanfare/mongo';
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import type { QueueDocument } from '../queue.ts';

const queues = (db: Db) => db.collection<QueueDocument & { uses?: number }>('queues');

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

export async function createQueueIndexes(db: Db): Promise<void> {
  await queues(db).createIndexes([
    { key: { business_id: 1, deleted: 1, created_at: -1, _id: -1 } },
    { key: { next_slot_at: 1, organization_id: 1 }, name: 'due', partialFilterExpression: { next_slot_at: { $exists: true } } },
    { key: { emptying: 1 }, name: 'emptying', partialFilterExpression: { emptying: { $exists: true } } },
  ]);
}

/** The stored queue of an earlier call with the same id; null if there is none. */
export async function findRepeated(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<QueueDocument | null> {
  return queues(db).findOne({ _id: id, ...filterOf(scope) }, session ? { session } : {});
}

export async function insertQueue(db: Db, document: QueueDocument, session: ClientSession): Promise<void> {
  await queues(db).insertOne(document, { session });
}

export const isDuplicateQueue = (error: unknown): boolean => isDuplicateKey(error, '_id');

export async function countQueues(db: Db, scope: Scope, session: ClientSession): Promise<number> {
  return queues(db).countDocuments({ ...filterOf(scope), deleted: false }, { session });
}

export async function findQueue(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<QueueDocument | null> {
  return queues(db).findOne({ _id: id, ...filterOf(scope), deleted: false }, session ? { session } : {});
}

/** Also deleted ones, which may still have posts. */
export async function findQueuesById(db: Db, ids: readonly string[], session?: ClientSession): Promise<Map<string, QueueDocument>> {
  if (ids.length === 0) return new Map();
  const found = await queues(db)
    .find({ _id: { $in: [...ids] } }, session ? { session } : {})
    .toArray();
  return new Map(found.map((queue) => [queue._id, queue]));
}

/** The queues of businesses, of which each has few. */
export async function findQueuesOf(db: Db, businessIds: readonly string[]): Promise<Map<string, QueueDocument>> {
  const found = await queues(db)
    .find({ business_id: { $in: [...businessIds] }, deleted: false })
    .toArray();
  return new Map(found.map((queue) => [queue._id, queue]));
}

export async function findOldestQueue(db: Db, scope: Scope, session: ClientSession): Promise<QueueDocument | null> {
  return queues(db).findOne({ ...filterOf(scope), deleted: false }, { session, sort: { created_at: 1, _id: 1 } });
}

export async function listQueues(db: Db, scope: Scope, pageSize: number, pageToken: string): Promise<Page<QueueDocument>> {
  const binding = ['queues', scope.businessId];
  const rows = await queues(db)
    .find({ ...filterOf(scope), deleted: false, ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** @throws DomainError precondition_failed */
export async function editQueue(
  db: Db,
  scope: Scope,
  id: string,
  changes: Partial<Pick<QueueDocument, 'name' | 'slots' | 'timezone' | 'paused' | 'restrict_publish_to' | 'emptying'>> & { deleted?: true },
  edit: Edit,
  session: ClientSession,
): Promise<QueueDocument | null> {
  return editOnce(queues(db), { _id: id, ...filterOf(scope) }, changes, edit, session);
}

/**
 * Changes how many posts a queue has. Writing its document orders this change among all others of the queue.
 * @param where `open` excludes deleted queues, to which no posts are added
 * @returns the queue after the change; null if there is none
 */
export async function changePostCount(
  db: Db,
  { id, by, open }: { readonly id: string; readonly by: number; readonly open?: Scope },
  session: ClientSession,
): Promise<QueueDocument | null> {
  const where = open ? { _id: id, ...filterOf(open), deleted: false } : { _id: id };
  return queues(db).findOneAndUpdate(where, { $inc: { post_count: by, uses: 1 } }, { session, returnDocument: 'after' });
}

/** Sets the next slot of a queue, or that it has none. @param sentPostId the post of the slot before it, if that published one */
export async function setNextSlot(db: Db, id: string, at: Date | undefined, session: ClientSession, sentPostId?: string): Promise<void> {
  const set = { ...(at && { next_slot_at: at }), ...(sentPostId !== undefined && { sent_post_id: sentPostId }) };
  const update: UpdateFilter<QueueDocument> = {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(!at && { $unset: { next_slot_at: '' } }),
  };
  await queues(db).updateOne({ _id: id }, update, { session });
}

/** A queue whose slot has come. */
export type DueQueue = Pick<QueueDocument, '_id' | 'organization_id' | 'business_id'> & { readonly next_slot_at: Date };

/** Queues whose slot has come by the database's clock, the longest due first. */
export async function findDueQueues(
  db: Db,
  except: { readonly organizations?: readonly string[]; readonly ids?: readonly string[] },
  limit: number,
): Promise<DueQueue[]> {
  const { organizations = [], ids = [] } = except;
  return queues(db)
    .find(
      {
        ...HAS_SLOT,
        ...(organizations.length > 0 && { organization_id: { $nin: [...organizations] } }),
        ...(ids.length > 0 && { _id: { $nin: [...ids] } }),
        $expr: { $lte: ['$next_slot_at', '$$NOW'] },
      },
      { projection: { organization_id: 1, business_id: 1, next_slot_at: 1 } },
    )
    .sort({ next_slot_at: 1 })
    .limit(limit)
    .map((queue) => queue as unknown as DueQueue)
    .toArray();
}

/** The time of the next slot of all queues, even if it is in the past. */
export async function findNextSlotAt(db: Db, exceptIds: readonly string[] = []): Promise<Date | undefined> {
  const where = { ...HAS_SLOT, ...(exceptIds.length > 0 && { _id: { $nin: [...exceptIds] } }) };
  const next = await queues(db)
    .find(where, { projection: { next_slot_at: 1 } })
    .sort({ next_slot_at: 1 })
    .limit(1)
    .next();
  return next?.next_slot_at;
}

/** Locks those of the queues that still wait for that slot until the transaction ends: of two replicas, only one handles it. */
export async function lockDueQueues(db: Db, due: readonly DueQueue[], session: ClientSession): Promise<QueueDocument[]> {
  const waits = due.map(({ _id, next_slot_at }) => ({ _id, next_slot_at }));
  await queues(db).bulkWrite(
    waits.map((filter) => ({ updateOne: { filter, update: { $inc: { uses: 1 } } } })),
    { session },
  );
  return queues(db).find({ $or: waits }, { session }).toArray();
}

/** Deleted queues that still have posts. */
export async function findEmptyingQueues(db: Db, limit: number): Promise<QueueDocument[]> {
  return queues(db)
    .find({ emptying: { $exists: true } })
    .limit(limit)
    .toArray();
}

export async function markEmptied(db: Db, id: string, session: ClientSession): Promise<void> {
  await queues(db).updateOne({ _id: id, deleted: true }, { $unset: { emptying: '' } }, { session });
}

/** @param isDefault whether it is the default queue of its business */
export function toQueue(document: QueueDocument, isDefault: boolean): Queue {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
    name: document.name,
    slots: document.slots,
    timezone: document.timezone,
    paused: document.paused,
    isDefault,
    restrictPublishTo: document.restrict_publish_to,
    postCount: document.post_count,
    nextPublishTime: document.post_count > 0 ? document.next_slot_at : undefined,
  };
}

/** Only dates: excludes the others from the index range. */
const HAS_SLOT = { next_slot_at: { $gt: new Date(0) } };

const filterOf = ({ organizationId, businessId }: Scope) => ({ business_id: businessId, organization_id: organizationId });

/** Businesses whose queues have posts, with their organizations. */
export function businessesWithQueuedPosts(db: Db): AsyncIterable<{ _id: string; organization_id: string }> {
  return queues(db).aggregate<{ _id: string; organization_id: string }>([
    { $match: { post_count: { $gt: 0 } } },
    { $group: { _id: '$business_id', organization_id: { $first: '$organization_id' } } },
  ]);
}
