import { Binary, type ClientSession, type Db } from 'mongodb';

/** A cached response of a platform about an account: repeated requests within a short time need no call to the platform. */
interface ReadDocument {
  /** A hash of the request. */
  _id: string;
  organization_id: string;
  business_id: string;
  integration_id: string;
  fetched_at: Date;
  /** The response, as its protobuf message. */
  value: Binary;
}

interface StoredRead {
  readonly value: Uint8Array;
  readonly ageMs: number;
}

/** Writes do not wait for replication: a response that is lost with a server is read again. */
const reads = (db: Db) => db.collection<ReadDocument>('reads', { writeConcern: { w: 1 }, readConcern: { level: 'local' } });
/** Longer than the statistics of any platform count as fresh: an old response is returned when the read quota is exhausted. */
const KEPT_SECONDS = 24 * 3_600;

export async function createReadIndexes(db: Db): Promise<void> {
  await reads(db).createIndex({ fetched_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
  await reads(db).createIndex({ integration_id: 1 });
}

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

export async function findRead(db: Db, id: string, { organizationId, businessId }: Scope, at: Date): Promise<StoredRead | undefined> {
  const found = await reads(db).findOne({ _id: id, organization_id: organizationId, business_id: businessId });
  return found ? { value: found.value.buffer, ageMs: at.getTime() - found.fetched_at.getTime() } : undefined;
}

export async function putRead(
  db: Db,
  id: string,
  { organizationId, businessId, integrationId }: Scope & { readonly integrationId: string },
  fetchedAt: Date,
  value: Uint8Array,
): Promise<void> {
  const fields = { organization_id: organizationId, business_id: businessId, integration_id: integrationId, fetched_at: fetchedAt };
  await reads(db).updateOne({ _id: id }, { $set: { ...fields, value: new Binary(value) } }, { upsert: true });
}

/** Deletes the cached reads of an account. Reads from before it was disconnected or changed owners must not be returned. */
export async function deleteReads(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await reads(db).deleteMany({ integration_id: integrationId }, { session });
}
