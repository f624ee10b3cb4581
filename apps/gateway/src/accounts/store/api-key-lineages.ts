import type { ClientSession, Db } from 'mongodb';
import type { ApiKeyDocument } from './api-keys.ts';

/** A chain of keys that made each other is remembered this far; whoever it began with always. */
const MAX_LINEAGE = 100;

const apiKeys = (db: Db) => db.collection<ApiKeyDocument>('api_keys');

/** Keys from before lineages were kept have the one who made them; those from before actors were known, the operators. */
export const lineageOf = ({ lineage, created_by = 'system' }: Pick<ApiKeyDocument, 'lineage' | 'created_by'>): readonly string[] =>
  lineage ?? [created_by];

/** Who made a key of the organization or took it over or, where that is a key, whoever answers for that one; undefined where nobody is known. */
export async function findUserBehindKey(db: Db, organizationId: string, id: string): Promise<string | undefined> {
  const key = await apiKeys(db).findOne({ _id: id, organization_id: organizationId });
  return key ? lineageOf(key).flatMap((actor) => /^user:(.+)$/.exec(actor)?.[1] ?? [])[0] : undefined;
}

/** Of what an actor makes. @param maker the actor, where it is a key */
export function lineageUnder(actor: string, maker: ApiKeyDocument | undefined): string[] {
  const above = maker ? lineageOf(maker) : [];
  if (above.length < MAX_LINEAGE) return [actor, ...above];
  return [actor, ...above.slice(0, MAX_LINEAGE - 2), above.at(-1) ?? actor];
}

/** The keys that an actor made or took over, and those that these made; also those that do not work any more. Oldest first. */
export async function listKeysUnder(db: Db, organizationId: string, actor: string, session: ClientSession): Promise<ApiKeyDocument[]> {
  const found = new Map<string, ApiKeyDocument>();
  for (let makers = [actor]; makers.length > 0;) {
    const rows = await apiKeys(db)
      .find({ organization_id: organizationId, ...isUnder(makers) }, { session })
      .sort({ created_at: 1, _id: 1 })
      .toArray();
    // Lineages that were cut short, or were not kept, end at a key that is among these.
    const fresh = rows.filter(({ _id }) => !found.has(_id));
    for (const row of fresh) found.set(row._id, row);
    makers = fresh.map(({ _id }) => `key:${_id}`);
  }
  return [...found.values()];
}

/** Matches keys in whose lineage somebody is. */
export const isUnder = (actors: readonly string[]) => ({
  $or: [{ lineage: { $in: [...actors] } }, { lineage: { $exists: false }, created_by: { $in: [...actors] } }],
});

/** Puts others in somebody's place. @param ownerName of the first of `by`: what they are called */
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

/** Keys used to know only who made them. Done again, it goes on where it was cut short. */
export async function keepLineages(db: Db): Promise<void> {
  const rows = apiKeys(db)
    .find({ lineage: { $exists: false } })
    .sort({ created_at: 1, _id: 1 });
  for await (const { _id, created_by = 'system' } of rows) {
    const maker = created_by.startsWith('key:') ? await apiKeys(db).findOne({ _id: created_by.slice('key:'.length) }) : null;
    await apiKeys(db).updateOne({ _id, lineage: { $exists: false } }, { $set: { lineage: lineageUnder(created_by, maker ?? undefined) } });
  }
}
