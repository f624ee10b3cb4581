import type { ClientSession, Db } from 'mongodb';
import type { ApiKeyDocument } from './api-keys.ts';

/** The length to which a chain of keys that created each other is stored. Its origin is always stored. */
const MAX_LINEAGE = 100;

const apiKeys = (db: Db) => db.collection<ApiKeyDocument>('api_keys');

/** The lineage of a key. Older keys without one have their creator; keys without a creator have the operators. */
export const lineageOf = ({ lineage, created_by = 'system' }: Pick<ApiKeyDocument, 'lineage' | 'created_by'>): readonly string[] =>
  lineage ?? [created_by];

/** The user who created or took over a key of the organization or, if a key created it, the user of that key; undefined if unknown. */
export async function findUserBehindKey(db: Db, organizationId: string, id: string): Promise<string | undefined> {
  const key = await apiKeys(db).findOne({ _id: id, organization_id: organizationId });
  return key ? lineageOf(key).flatMap((actor) => /^user:(.+)$/.exec(actor)?.[1] ?? [])[0] : undefined;
}

/** The lineage of a key that an actor creates. @param maker the actor, if it is a key */
export function lineageUnder(actor: string, maker: ApiKeyDocument | undefined): string[] {
  const above = maker ? lineageOf(maker) : [];
  if (above.length < MAX_LINEAGE) return [actor, ...above];
  return [actor, ...above.slice(0, MAX_LINEAGE - 2), above.at(-1) ?? actor];
}

/** The keys that an actor created or took over, and those that these created, including keys that no longer work. Oldest first. */
export async function listKeysUnder(db: Db, organizationId: string, actor: string, session: ClientSession): Promise<ApiKeyDocument[]> {
  const found = new Map<string, ApiKeyDocument>();
  for (let makers = [actor]; makers.length > 0;) {
    const rows = await apiKeys(db)
      .find({ organization_id: organizationId, ...isUnder(makers) }, { session })
      .sort({ created_at: 1, _id: 1 })
      .toArray();
    // A shortened or missing lineage ends at one of these keys.
    const fresh = rows.filter(({ _id }) => !found.has(_id));
    for (const row of fresh) found.set(row._id, row);
    makers = fresh.map(({ _id }) => `key:${_id}`);
  }
  return [...found.values()];
}

/** Matches keys that have one of the actors in their lineage. */
export const isUnder = (actors: readonly string[]) => ({
  $or: [{ lineage: { $in: [...actors] } }, { lineage: { $exists: false }, created_by: { $in: [...actors] } }],
});

/** Replaces an actor in lineages. @param ownerName the name of the first of `by` */
export async function replaceInLineage(
  db: Db,
  key: ApiKeyDocument,
  actor: string,
  { by, ownerName }: { readonly by: readonly string[]; readonly ownerName: string | undefined },
  session: ClientSession,
): Promise<void> {
  const lineage = lineageOf(key);
  const replaced = [...new Set(lineage.flatMap((one) => (one === actor ? by : one)))];
  const isOwner = lineage[0] === actor;
  await apiKeys(db).updateOne(
    { _id: key._id },
    {
      $set: { lineage: replaced, ...(isOwner && ownerName !== undefined && { owner_name: ownerName }), revision: (key.revision ?? 1) + 1 },
    },
    { session },
  );
}

/** Adds lineages to keys that have only a creator. It can be repeated after an interruption. */
export async function keepLineages(db: Db): Promise<void> {
  const rows = apiKeys(db)
    .find({ lineage: { $exists: false } })
    .sort({ created_at: 1, _id: 1 });
  for await (const { _id, created_by = 'system' } of rows) {
    const maker = created_by.startsWith('key:') ? await apiKeys(db).findOne({ _id: created_by.slice('key:'.length) }) : null;
    await apiKeys(db).updateOne({ _id, lineage: { $exists: false } }, { $set: { lineage: lineageUnder(created_by, maker ?? undefined) } });
  }
}
