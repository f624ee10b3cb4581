import type { ClientSession, Db } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';
import { IS_DUE } from './due-deliveries.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

export async function createWakeIndexes(db: Db): Promise<void> {
  await deliveries(db).createIndex({ integration_id: 1 }, { name: 'open_of_integration', partialFilterExpression: { open: true } });
}

/**
 * Makes the account's waiting deliveries due now, also those that wait for others, because the account is disconnected. A process that prepares one of them loses
 * its lease; a commit is left to finish.
 */
export async function wakeDeliveries(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  const isNotDue = { $or: [{ $gt: ['$run_at', '$$NOW'] }, { $eq: [{ $type: '$run_at' }, 'missing'] }] };
  await deliveries(db).updateMany({ ...waitingFor(integrationId), $expr: isNotDue }, [{ $set: { run_at: '$$NOW' } }], { session });
}

/** Some of the account's due deliveries, paused or not. */
export async function findWaitingFor(db: Db, integrationId: string, limit: number): Promise<string[]> {
  const found = await deliveries(db)
    .find({ ...waitingFor(integrationId), ...IS_DUE }, { projection: { _id: 1 }, limit })
    .toArray();
  return found.map(({ _id }) => _id);
}

const waitingFor = (integrationId: string) => ({ integration_id: integrationId, open: true, commit: { $exists: false } });
