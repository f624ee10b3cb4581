import { isDeepStrictEqual } from 'node:util';
import { grouped, onePer } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { IntegrationDocument } from '../integration.ts';

const MOST_TOGETHER = 64;

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');

export async function createIntegrationIndexes(db: Db): Promise<void> {
  await integrations(db).createIndex({ business_id: 1 });
}

export async function createSharedAccountIndex(db: Db): Promise<void> {
  await integrations(db).createIndex({ account_id: 1, organization_id: 1 });
}

/**
 * Stores a newer state; an older revision changes nothing.
 * @returns whether the status, the settings or the end of access have changed, by which posts are checked
 */
export async function putIntegration(db: Db, document: IntegrationDocument, session: ClientSession): Promise<boolean> {
  const { _id, ...rest } = document;
  const known = await integrations(db).findOne({ _id }, { session });
  if (known && known.revision >= document.revision) return false;
  await integrations(db).replaceOne({ _id }, rest, { upsert: true, session });
  return !known || !isDeepStrictEqual(checkedPart(known), checkedPart(document));
}

const checkedPart = ({ status, settings, access_ends_at: endsAt }: IntegrationDocument) => ({ status, settings, endsAt });

/** The accounts of a business. Without a session, concurrent calls share one query. */
export const listBusinessIntegrations = async (db: Db, businessId: string, session?: ClientSession): Promise<IntegrationDocument[]> =>
  session ? ((await listIntegrationsOf(db, [businessId], session)).get(businessId) ?? []) : reader(db)(businessId);

const reader = onePer((db: Db) =>
  grouped<string, IntegrationDocument[]>({
    most: MOST_TOGETHER,
    async work(businessIds) {
      const found = await listIntegrationsOf(db, [...new Set(businessIds)]);
      return businessIds.map((id) => ({ status: 'fulfilled', value: found.get(id) ?? [] }));
    },
  }),
);

/** The accounts of several businesses, by business. */
export async function listIntegrationsOf(
  db: Db,
  businessIds: readonly string[],
  session?: ClientSession,
): Promise<Map<string, IntegrationDocument[]>> {
  const found = await integrations(db)
    .find({ business_id: { $in: [...businessIds] } }, session ? { session } : {})
    .sort({ _id: 1 })
    .toArray();
  return Map.groupBy(found, ({ business_id }) => business_id);
}

/** The connections of the same account on its platform, this one first: several businesses of an organization may have one each. Concurrent calls share queries. */
export async function listSharing(db: Db, account: IntegrationDocument): Promise<IntegrationDocument[]> {
  if (!account.account_id) return [account];
  const found = await sharing(db)(account);
  return [account, ...found.filter((one) => one._id !== account._id)];
}

const sharing = onePer((db: Db) =>
  grouped<IntegrationDocument, IntegrationDocument[]>({
    most: MOST_TOGETHER,
    async work(accounts) {
      const pairs = accounts.map(({ account_id, organization_id }) => ({ account_id, organization_id }));
      const found = await integrations(db)
        .find({ $or: pairs as Pick<IntegrationDocument, 'organization_id'>[], status: { $ne: 'INTEGRATION_STATUS_DISCONNECTED' } })
        .toArray();
      return accounts.map((account) => ({ status: 'fulfilled', value: found.filter((one) => isSameAccount(one, account)) }));
    },
  }),
);

const isSameAccount = (a: IntegrationDocument, b: IntegrationDocument): boolean =>
  a.organization_id === b.organization_id && a.platform === b.platform && a.account_id === b.account_id;
