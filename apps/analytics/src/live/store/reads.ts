import { Binary, type ClientSession, type Db } from 'mongodb';

/** What was read of an account, so that asking again within a short time asks nobody. */
interface ReadDocument {
  /** A hash of what was asked. */
  _id: string;
  organization_id: string;
  business_id: string;
  integration_id: string;
  fetched_at: Date;
  /** The response, as its protobuf message. */
  value: Binary;
}

export interface StoredRead {
  readonly value: Uint8Array;
  readonly ageMs: number;
}

/** A response that is lost with a server is read again: nobody waits until others have it. */
const reads = (db: Db) => db.collection<ReadDocument>('reads', { writeConcern: { w: 1 }, readConcern: { level: 'local' } });
/** Longer than any platform's numbers are called fresh: an old response stands in when the quota of reads is used up. */
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

/** What was read of an account before it changed hands or was disconnected is shown to nobody. */
export async function deleteReads(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await reads(db).deleteMany({ integration_id: integrationId }, { session });
}
