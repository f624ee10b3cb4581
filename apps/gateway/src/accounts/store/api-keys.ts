import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import { currentTime } from '@fanfare/runtime';
import { isUnder } from './api-key-lineages.ts';

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
  /** Actor; keys from before actors were known have none. */
  created_by?: string;
  /** What the actor was called then. */
  created_by_name?: string;
  /** Who answers for it: whoever made it or took it over, then, where that is a key, its own. It does not outlive any of them. */
  lineage?: string[];
  /** What the first of them is called, if they took it over. */
  owner_name?: string;
  /** From then on it does not work. */
  expires_at?: Date;
  /** Until when it was meant to work before it was rotated out; null is for ever. */
  meant_until?: Date | null;
  revoked_at?: Date;
  /** Late by a minute at most. */
  last_used_at?: Date;
  /** The key that it takes the place of. */
  rotated_from?: string;
  /** Grows with every change, and not with use; absent means 1. */
  revision?: number;
}

/** Expired keys are still shown for a month, so that people see why something stopped working. */
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
/** By the database's clock: the TTL indexes only tidy up. */
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

/** The same of a document, by this process's clock. */
export const isWorking = ({ revoked_at, expires_at = NEVER }: ApiKeyDocument): boolean => !revoked_at && expires_at > currentTime();

export async function countWorkingApiKeys(db: Db, organizationId: string, session: ClientSession): Promise<number> {
  return apiKeys(db).countDocuments({ organization_id: organizationId, ...WORKING }, { session });
}

/**
 * Inserts a key, or finds it when the operation that makes it is carried out again.
 * @returns the key as it is stored, and whether it is new
 */
export async function putApiKey(
  db: Db,
  document: ApiKeyDocument,
  session: ClientSession,
): Promise<{ key: ApiKeyDocument; isNew: boolean }> {
  const { _id, organization_id, secret_hash, hint, ...rest } = document;
  // The hash is written again too: the first time may have been before the keyring changed, and nobody has seen the secret of that time.
  const { value, lastErrorObject } = await apiKeys(db).findOneAndUpdate(
    { _id, organization_id },
    { $set: { secret_hash, hint }, $setOnInsert: rest },
    { upsert: true, returnDocument: 'after', includeResultMetadata: true, session },
  );
  if (!value) throw new Error('An upsert returned no document.');
  return { key: value, isNew: lastErrorObject?.['updatedExisting'] !== true };
}

/** Lets a key expire `inMs` from now, if it does not sooner. */
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

/** Writes down when keys were last used. That is no change: whoever read a key to delete it must not have to race with those who use it. */
export async function recordApiKeyUse(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  const updates = [...uses].map(([_id, at]) => ({
    updateOne: { filter: { _id }, update: { $max: { last_used_at: at } } },
  }));
  if (updates.length > 0) await apiKeys(db).bulkWrite(updates, { ordered: false });
}

const NEXT = { $add: [{ $ifNull: ['$revision', 1] }, 1] };
