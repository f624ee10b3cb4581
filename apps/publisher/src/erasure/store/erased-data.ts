import { deleteSome, ofBusinesses, ofTenant, type Erased } from '@fanfare/erasure';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { IntegrationDocument } from '../../accounts/store/integrations.ts';
import type { DeliveryDocument } from '../../deliveries/delivery.ts';
import type { PublicationDocument } from '../../strategies/store/publications.ts';
import type { RemovalDocument } from '../../removals/store/removals.ts';

// What belongs to erased businesses. Deliveries are found by their accounts, for which there are indexes; accounts are deleted after them.

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');
const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');
const removals = (db: Db) => db.collection<RemovalDocument>('removals');

/** A commit ends within an hour and a half, and removals within 25 hours, unless operators have paused them. Then they are not waited for. */
const COMMIT_ENDS_MS = 2 * 3_600_000;
const REMOVAL_ENDS_MS = 26 * 3_600_000;

const youngerThan = (field: string, ms: number) => ({ $expr: { $gt: [`$${field}`, { $subtract: ['$$NOW', ms] }] } });

/** A commit whose outcome is not known yet, or a published post of which something is left to do. */
const RUNNING: Filter<DeliveryDocument> = {
  open: true,
  $or: [
    { commit: { $exists: true }, ...youngerThan('commit.began_at', COMMIT_ENDS_MS) },
    { published_at: { $exists: true }, ...youngerThan('published_at', COMMIT_ENDS_MS) },
  ],
};

async function accountIds(db: Db, erased: Erased): Promise<string[]> {
  const found = await integrations(db)
    .find(ofBusinesses(erased), { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Deletes deliveries of which nothing can have been published yet. A process that prepares one of them loses its lease. */
export async function deleteNotBegun(db: Db, erased: Erased, limit: number): Promise<number> {
  const notBegun = { open: true, commit: { $exists: false }, published_at: { $exists: false } };
  return deleteSome(deliveries(db), { integration_id: { $in: await accountIds(db, erased) }, ...notBegun }, limit);
}

export async function countRunning(db: Db, erased: Erased): Promise<{ deliveries: number; removals: number }> {
  const ofAccounts = { integration_id: { $in: await accountIds(db, erased) } };
  const [running, removing] = await Promise.all([
    deliveries(db).countDocuments({ ...ofAccounts, ...RUNNING }),
    removals(db).countDocuments({ ...ofAccounts, open: true, ...youngerThan('created_at', REMOVAL_ENDS_MS) }),
  ]);
  return { deliveries: running, removals: removing };
}

/** Deletes deliveries, with the publications that they depend on. */
export async function deleteDeliveries(db: Db, erased: Erased, limit: number): Promise<number> {
  const ids = await accountIds(db, erased);
  const count = await deleteSomeDeliveries(db, { integration_id: { $in: ids }, $nor: [RUNNING] }, limit);
  // Of accounts that were erased before, as a person may demand from the platform.
  return count > 0 ? count : deleteSomeDeliveries(db, { ...ofBusinesses(erased), integration_id: { $nin: ids } }, limit);
}

async function deleteSomeDeliveries(db: Db, filter: Filter<DeliveryDocument>, limit: number): Promise<number> {
  const found = await deliveries(db)
    .find(filter, { projection: { publication_id: 1 } })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  await db
    .collection<PublicationDocument>('publications')
    .deleteMany({ _id: { $in: [...new Set(found.map(({ publication_id }) => publication_id))] } });
  await deliveries(db).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return found.length;
}

/** For erasing. */
export async function createRemovalBusinessIndex(db: Db): Promise<void> {
  await removals(db).createIndex({ business_id: 1 }, { name: 'of_business' });
}

export const deleteRemovals = (db: Db, erased: Erased, limit: number): Promise<number> =>
  deleteSome(removals(db), ofBusinesses(erased), limit);

/** What remains of connecting accounts, for an hour at most. Tokens that were offered are not revoked: they expire unused. */
export async function deleteConnecting(db: Db, erased: Erased, limit: number): Promise<number> {
  const counts = [];
  for (const name of ['connections', 'connection_attempts']) counts.push(await deleteSome(db.collection(name), ofTenant(erased), limit));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Accounts whose tokens must be revoked. */
export async function findAccounts(db: Db, erased: Erased, limit: number): Promise<IntegrationDocument[]> {
  return integrations(db)
    .find({ ...ofBusinesses(erased), tokens: { $ne: '' } })
    .limit(limit)
    .toArray();
}

/** @returns whether it was still there, with these tokens */
export async function deleteAccount(db: Db, { _id, tokens }: IntegrationDocument, session: ClientSession): Promise<boolean> {
  return (await integrations(db).deleteOne({ _id, tokens }, { session })).deletedCount === 1;
}

export const deleteAccountsWithoutAccess = (db: Db, erased: Erased, limit: number): Promise<number> =>
  deleteSome(integrations(db), { ...ofBusinesses(erased), tokens: '' }, limit);

/** Operators' pauses of the organization and its accounts. */
export async function deletePauses(db: Db, { organizationId, wholeOrganization }: Erased): Promise<number> {
  if (!wholeOrganization) return 0;
  return (await db.collection('pauses').deleteMany({ organization_id: organizationId })).deletedCount;
}
