import type { ClientSession, Db } from 'mongodb';
import type { DeliveryDocument } from './deliveries.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

export async function createWakeIndexes(db: Db): Promise<void> {
  await deliveries(db).createIndex({ integration_id: 1 }, { name: 'open_of_integration', partialFilterExpression: { open: true } });
}

/**
 * What waits to be sent to this account becomes due now: something about the account is new that it should hear of. Whoever prepares one of them loses
 * the lease to whoever comes; a commit is left to run out.
 */
export async function wakeDeliveries(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await deliveries(db).updateMany({ ...waitingFor(integrationId), $expr: { $gt: ['$run_at', '$$NOW'] } }, [{ $set: { run_at: '$$NOW' } }], {
    session,
  });
}

/** Some of what waits to be sent to this account and is due, whether operators hold it or not. */
export async function findWaitingFor(db: Db, integrationId: string, limit: number): Promise<string[]> {
  const found = await deliveries(db)
    .find({ ...waitingFor(integrationId), $expr: { $lte: ['$run_at', '$$NOW'] } }, { projection: { _id: 1 }, limit })
    .toArray();
  return found.map(({ _id }) => _id);
}

const waitingFor = (integrationId: string) => ({ integration_id: integrationId, open: true, commit: { $exists: false } });
