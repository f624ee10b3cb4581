import type { ClientSession, Db } from 'mongodb';
import type { DeliveryDocument } from './deliveries.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** Longer than a lease: what is due later is not being carried out by anybody. */
const ASLEEP_MS = 10_000;

export async function createWakeIndexes(db: Db): Promise<void> {
  await deliveries(db).createIndex({ integration_id: 1 }, { name: 'open_of_integration', partialFilterExpression: { open: true } });
}

/** What waits to be sent to this account becomes due now: something about the account is new that it should hear of. */
export async function wakeDeliveries(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await deliveries(db).updateMany(
    { integration_id: integrationId, open: true, $expr: { $gt: ['$run_at', { $add: ['$$NOW', ASLEEP_MS] }] } },
    [{ $set: { run_at: '$$NOW' } }],
    { session },
  );
}
