import { isDeepStrictEqual } from 'node:util';
import { grouped, onePer } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { IntegrationDocument } from '../integration.ts';

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');

export async function createIntegrationIndexes(db: Db): Promise<void> {
  await integrations(db).createIndex({ business_id: 1 });
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

const MOST_TOGETHER = 64;
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
