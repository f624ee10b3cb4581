import type { Erased } from '@fanfare/erasure';
import type { Db } from 'mongodb';
import type { IntegrationDocument } from '../../accounts/store/integrations.ts';
import { clockedId, type QuotaDocument } from './quotas.ts';

/** The collection's name is older than the term quota. */
const quotas = (db: Db) => db.collection<QuotaDocument>('budgets');

/** Whose use of our app's quotas is counted although the organization is erased: platforms count it too. Dropped with the end of the window. */
const ERASED = 'erased';

/**
 * What an erased organization has used of our app's quotas still counts, but not under its id. Those that were counted by its test clock are deleted.
 * @returns how many quotas were changed or deleted
 */
export async function forgetOrganization(db: Db, { organizationId, wholeOrganization }: Erased): Promise<number> {
  if (!wholeOrganization) return 0;
  const { deletedCount } = await quotas(db).deleteMany({ _id: { $regex: `${clockedId(organizationId, '')}$` } });
  const { modifiedCount } = await quotas(db).updateMany(
    { 'spent.key': organizationId },
    { $set: { 'spent.$[own].key': ERASED } },
    { arrayFilters: [{ 'own.key': organizationId }] },
  );
  return deletedCount + modifiedCount;
}

/** Deletes the quotas of an erased account, also those that were counted by a test clock, unless another business has it too. */
export async function deleteAccountQuotas(
  db: Db,
  { platform, account_id }: Pick<IntegrationDocument, 'platform' | 'account_id'>,
): Promise<void> {
  if (await db.collection<IntegrationDocument>('integrations').findOne({ platform, account_id }, { projection: { _id: 1 } })) return;
  // The names of quotas contain no slash.
  const found = await quotas(db)
    .find({ _id: { $gte: `${platform}/`, $lt: `${platform}0` } }, { projection: { _id: 1 } })
    .toArray();
  const byClock = clockedId('', account_id);
  const isOwn = (of: string) => of === account_id || of.startsWith(byClock);
  const own = found.map(({ _id }) => _id).filter((id) => isOwn(id.split('/').slice(2).join('/')));
  await quotas(db).deleteMany({ _id: { $in: own } });
}
