import type { ClientSession, Db } from 'mongodb';

/**
 * The default queue of a business. Everything that creates or deletes a queue of the business, or makes it the default, writes this document in its
 * transaction. So such changes have an order, and a business with queues always has exactly one default.
 */
interface DefaultQueueDocument {
  /** The business. */
  _id: string;
  organization_id: string;
  /** Absent if the business has no queue. */
  queue_id?: string;
  uses: number;
}

const defaults = (db: Db) => db.collection<DefaultQueueDocument>('default_queues');

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

export async function findDefaultQueueId(
  db: Db,
  { organizationId, businessId }: Scope,
  session?: ClientSession,
): Promise<string | undefined> {
  const found = await defaults(db).findOne({ _id: businessId, organization_id: organizationId }, session ? { session } : {});
  return found?.queue_id;
}

/** Locks the choice until the transaction ends. @returns the current default */
export async function lockDefaultQueue(db: Db, { organizationId, businessId }: Scope, session: ClientSession): Promise<string | undefined> {
  const locked = await defaults(db).findOneAndUpdate(
    { _id: businessId, organization_id: organizationId },
    { $inc: { uses: 1 } },
    { session, upsert: true, returnDocument: 'after' },
  );
  return locked?.queue_id;
}

/** The choice must be locked. */
export async function setDefaultQueue(db: Db, { businessId }: Scope, queueId: string | undefined, session: ClientSession): Promise<void> {
  const update = queueId === undefined ? { $unset: { queue_id: '' as const } } : { $set: { queue_id: queueId } };
  await defaults(db).updateOne({ _id: businessId }, update, { session });
}
