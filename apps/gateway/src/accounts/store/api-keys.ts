import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import { currentTime } from '@fanfare/runtime';
import { isUnder } from './api-key-lineages.ts';

export interface ApiKeyDocument {
  _id: string;
  organization_id: string;
  /** A name that says what the key is for. */
  name: string;
  /** SHA-256 of the secret, hex. The secret itself is stored nowhere. */
  secret_hash: string;
  /** Last characters of the secret, by which people identify the key. */
  hint: string;
  created_at: Date;
  /** The actor; absent in keys of older versions. */
  created_by?: string;
  /** The name of the actor at that time. */
  created_by_name?: string;
  /** Who is responsible for the key: who created it or took it over and, if that is a key, the lineage of that one. If any of them is revoked, this key is too. */
  lineage?: string[];
  /** The name of the first of them, if they took the key over. */
  owner_name?: string;
  /** The key does not work after this time. */
  expires_at?: Date;
  /** When the key was to expire before it was rotated; null means never. */
  meant_until?: Date | null;
  revoked_at?: Date;
  /** Up to a minute late. */
  last_used_at?: Date;
  /** The key that it replaces. */
  rotated_from?: string;
  /** Incremented by every change, but not by use; absent means 1. */
  revision?: number;
}

/** Expired keys are shown for a month, so that people see why something stopped working. */
const SHOWN_MS = 30 * 24 * 60 * 60_000;

const apiKeys = (db: Db) => db.collection<ApiKeyDocument>('api_keys');

export async function createApiKeyIndexes(db: Db): Promise<void> {
  await apiKeys(db).createIndex({ secret_hash: 1 }, { unique: true });
  await apiKeys(db).createIndex({ organization_id: 1, created_at: -1, _id: -1 });
}

export async function createApiKeyEndIndexes(db: Db): Promise<void> {
  await apiKeys(db).createIndex({ revoked_at: 1 }, { expireAfterSeconds: SHOWN_MS / 1000 });
  await apiKeys(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: SHOWN_MS / 1000 });
}

const NEVER = new Date(8.64e15);
const expiresAfter = (time: unknown) => ({ $expr: { $gt: [{ $ifNull: ['$expires_at', NEVER] }, time] } });
/** By the database's clock. The TTL indexes only clean up. */
const WORKING = { revoked_at: { $exists: false }, ...expiresAfter('$$NOW') };
const SHOWN = { revoked_at: { $exists: false }, ...expiresAfter({ $subtract: ['$$NOW', SHOWN_MS] }) };

/** A key that works: neither revoked nor expired. */
export async function findApiKey(db: Db, secretHash: string): Promise<ApiKeyDocument | null> {
  return apiKeys(db).findOne({ secret_hash: secretHash, ...WORKING });
}

export async function findApiKeyName(db: Db, id: string, session?: ClientSession): Promise<string | undefined> {
  return (await apiKeys(db).findOne({ _id: id }, { projection: { name: 1 }, ...(session && { session }) }))?.name;
}

/** A key of the organization, with those that expired within the last month. */
export async function findShownApiKey(db: Db, organizationId: string, id: string, session?: ClientSession): Promise<ApiKeyDocument | null> {
  return apiKeys(db).findOne({ _id: id, organization_id: organizationId, ...SHOWN }, { ...(session && { session }) });
}

/** Newest first, with those that expired within the last month. @param page `under`: only those that do not outlive this actor */
export async function listApiKeys(
  db: Db,
  organizationId: string,
  { pageSize, pageToken, under }: { pageSize: number; pageToken: string; under?: string | undefined },
): Promise<Page<ApiKeyDocument>> {
  const binding = ['api_keys', organizationId, under];
  const rows = await apiKeys(db)
    .find({
      organization_id: organizationId,
      $and: [SHOWN, after(parsePageToken(pageToken, binding)), ...(under === undefined ? [] : [isUnder([under])])],
    })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** A key of the organization, if it works now. */
export async function findWorkingApiKey(
  db: Db,
  organizationId: string,
  id: string,
  session: ClientSession,
): Promise<ApiKeyDocument | null> {
  return apiKeys(db).findOne({ _id: id, organization_id: organizationId, ...WORKING }, { session });
}

/** The same for a document, by this process's clock. */
export const isWorking = ({ revoked_at, expires_at = NEVER }: ApiKeyDocument): boolean => !revoked_at && expires_at > currentTime();

export async function countWorkingApiKeys(db: Db, organizationId: string, session: ClientSession): Promise<number> {
  return apiKeys(db).countDocuments({ organization_id: organizationId, ...WORKING }, { session });
}

/**
 * Inserts a key, or finds it if the operation that creates it is repeated.
 * @returns the stored key, and whether it is new
 */
export async function putApiKey(
  db: Db,
  document: ApiKeyDocument,
  session: ClientSession,
): Promise<{ key: ApiKeyDocument; isNew: boolean }> {
  const { _id, organization_id, secret_hash, hint, ...rest } = document;
  // The hash is overwritten too, because the keyring may have changed since the first attempt, whose secret was never returned.
  const { value, lastErrorObject } = await apiKeys(db).findOneAndUpdate(
    { _id, organization_id },
    { $set: { secret_hash, hint }, $setOnInsert: rest },
    { upsert: true, returnDocument: 'after', includeResultMetadata: true, session },
  );
  if (!value) throw new Error('An upsert returned no document.');
  return { key: value, isNew: lastErrorObject?.['updatedExisting'] !== true };
}

/** Lets a key expire in `inMs`, unless it expires sooner. */
export async function expireApiKey(db: Db, id: string, inMs: number, session: ClientSession): Promise<void> {
  const soon = { $add: ['$$NOW', inMs] };
  const meant = { $ifNull: ['$meant_until', '$expires_at', null] };
  await apiKeys(db).updateOne(
    { _id: id },
    [{ $set: { meant_until: meant, expires_at: { $min: ['$expires_at', soon] }, revision: NEXT } }],
    { session },
  );
}

export async function revokeApiKey(db: Db, id: string, session: ClientSession): Promise<void> {
  await apiKeys(db).updateOne({ _id: id }, [{ $set: { revoked_at: '$$NOW', revision: NEXT } }], { session });
}

/** Records when keys were last used. This is no change of the revision, so that a conditional deletion of a key does not conflict with its use. */
export async function recordApiKeyUse(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  const updates = [...uses].map(([_id, at]) => ({
    updateOne: { filter: { _id }, update: { $max: { last_used_at: at } } },
  }));
  if (updates.length > 0) await apiKeys(db).bulkWrite(updates, { ordered: false });
}

const NEXT = { $add: [{ $ifNull: ['$revision', 1] }, 1] };
