import type { Erased } from '@fanfare/erasure';
import type { Db } from 'mongodb';
import type { IntegrationDocument } from '../../accounts/store/integrations.ts';
import type { QuotaDocument } from './quotas.ts';

/** The collection's name is older than the term quota. */
const quotas = (db: Db) => db.collection<QuotaDocument>('budgets');

/** Whose use of our app's quotas is counted although the organization is erased: platforms count it too. Dropped with the end of the window. */
const ERASED = 'erased';

/** What an erased organization has used of our app's quotas still counts, but not under its id. @returns how many quotas were changed */
export async function forgetOrganization(db: Db, { organizationId, wholeOrganization }: Erased): Promise<number> {
  if (!wholeOrganization) return 0;
  const { modifiedCount } = await quotas(db).updateMany(
    { 'spent.key': organizationId },
    { $set: { 'spent.$[own].key': ERASED } },
    { arrayFilters: [{ 'own.key': organizationId }] },
  );
  return modifiedCount;
}

/** Deletes the quotas of an erased account, unless another business has it too. */
export async function deleteAccountQuotas(
  db: Db,
  { platform, account_id }: Pick<IntegrationDocument, 'platform' | 'account_id'>,
): Promise<void> {
  if (await db.collection<IntegrationDocument>('integrations').findOne({ platform, account_id }, { projection: { _id: 1 } })) return;
  // The names of quotas contain no slash.
  const found = await quotas(db)
    .find({ _id: { $gte: `${platform}/`, $lt: `${platform}0` } }, { projection: { _id: 1 } })
    .toArray();
  const own = found.map(({ _id }) => _id).filter((id) => id.split('/').slice(2).join('/') === account_id);
  await quotas(db).deleteMany({ _id: { $in: own } });
}
