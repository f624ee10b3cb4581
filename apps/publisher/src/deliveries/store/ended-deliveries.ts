import type { Db } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** More accounts with such old open deliveries than this: nothing is deleted until an operator has looked at them. */
const MAX_ACCOUNTS = 1_000;

/**
 * Deletes deliveries that were requested, and ended, before a time: the oldest first, at most `limit`.
 *
 * What has to stay, however old: a delivery that has not ended; and all deliveries to an account of which such an old one may still be reconciled. A post that is found for it
 * must not be one that another delivery made, which only their rows can tell (`findBoundPublishIds`, `hasCompetingCommit`). Candidates are newer than the commit that is
 * reconciled, so that for every other account rows of that age have nothing left to protect.
 * @returns how many were deleted
 */
export async function deleteEndedDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const protectedAccounts = await accountsWithOpenDeliveries(db, before);
  if (protectedAccounts.length > MAX_ACCOUNTS) {
    throw new Error(
      `More than ${MAX_ACCOUNTS} accounts have open deliveries that are older than the retention: no deliveries are deleted.`,
    );
  }
  const over = await deliveries(db)
    .find(
      { created_at: { $lt: before }, updated_at: { $lt: before }, open: false, account_id: { $nin: protectedAccounts } },
      { projection: { _id: 1 }, hint: 'newest' },
    )
    .sort({ created_at: 1, _id: 1 })
    .limit(limit)
    .toArray();
  if (over.length === 0) return 0;
  const { deletedCount } = await deliveries(db).deleteMany({ _id: { $in: over.map(({ _id }) => _id) }, open: false });
  return deletedCount;
}

/** Of deliveries that have begun: one that has not is no commit of that time. */
async function accountsWithOpenDeliveries(db: Db, before: Date): Promise<string[]> {
  const found = await deliveries(db)
    .aggregate<{
      _id: string;
    }>([
      { $match: { open: true, created_at: { $lt: before }, account_id: { $exists: true } } },
      { $group: { _id: '$account_id' } },
      { $limit: MAX_ACCOUNTS + 1 },
    ])
    .toArray();
  return found.map(({ _id }) => _id);
}
