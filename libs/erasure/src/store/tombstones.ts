import type { EraseRequest } from '@fanfare/contracts/erasure';
import { currentTime } from '@fanfare/runtime';
import type { Db } from 'mongodb';

/** What remains of an erased business or organization: its id, so that an event that arrives late brings nothing back. Never deleted. */
interface TombstoneDocument {
  /** The id of the business or the organization. */
  _id: string;
  erased_at: Date;
}

const tombstones = (db: Db) => db.collection<TombstoneDocument>('tombstones');

/** Written before anything is erased. A repeat changes nothing. */
export async function putTombstones(db: Db, { organizationId, businessIds, wholeOrganization }: EraseRequest): Promise<void> {
  const erased_at = currentTime();
  const ids = [...(wholeOrganization ? [organizationId] : []), ...businessIds];
  const writes = ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { erased_at } }, upsert: true } }));
  if (writes.length > 0) await tombstones(db).bulkWrite(writes, { ordered: false });
}

/** When the erasure began here: what has all data of an organization, such as an export, and was begun before that, has what is erased. */
export async function erasedSince(db: Db, { businessIds }: Pick<EraseRequest, 'businessIds'>): Promise<Date> {
  const found = await tombstones(db)
    .find({ _id: { $in: [...businessIds] } })
    .toArray();
  return new Date(Math.max(0, ...found.map(({ erased_at }) => erased_at.getTime())));
}

/** Which of these businesses and organizations are erased. */
export async function findErased(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tombstones(db)
    .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
