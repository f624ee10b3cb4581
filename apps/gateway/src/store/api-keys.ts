import type { ClientSession, Db } from 'mongodb';

export interface ApiKeyDocument {
  _id: string;
  organization_id: string;
  /** What it is for. */
  name: string;
  /** SHA-256 of the secret, hex. The secret itself is stored nowhere. */
  secret_hash: string;
  /** Last characters of the secret, by which people tell their keys apart. */
  hint: string;
  created_at: Date;
  revoked_at?: Date;
}

const apiKeys = (db: Db) => db.collection<ApiKeyDocument>('api_keys');

export async function createApiKeyIndexes(db: Db): Promise<void> {
  await apiKeys(db).createIndex({ secret_hash: 1 }, { unique: true });
  await apiKeys(db).createIndex({ organization_id: 1, created_at: -1, _id: -1 });
}

export async function insertApiKey(db: Db, document: ApiKeyDocument): Promise<void> {
  await apiKeys(db).insertOne(document);
}

/** A key that works; one that was revoked is not found. */
export async function findApiKey(db: Db, secretHash: string): Promise<ApiKeyDocument | null> {
  return apiKeys(db).findOne({ secret_hash: secretHash, revoked_at: { $exists: false } });
}

export async function findApiKeyName(db: Db, id: string, session?: ClientSession): Promise<string | undefined> {
  return (await apiKeys(db).findOne({ _id: id }, { projection: { name: 1 }, ...(session && { session }) }))?.name;
}
