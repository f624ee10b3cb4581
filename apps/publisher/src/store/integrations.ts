import type { Platform } from '@fanfare/connectors';
import type { Integration, IntegrationStatus } from '@fanfare/contracts/publisher';
import { after, pageOf, parsePageToken } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';

export interface IntegrationDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  platform: Platform;
  account_id: string;
  username: string;
  display_name: string;
  page: string;
  picture_url?: string;
  status: IntegrationStatus;
  scopes: string[];
  token_expires_at?: Date;
  /** Sealed JSON: access token and refresh token. */
  tokens: string;
  /** While a replica refreshes the tokens, nobody else does. */
  refreshing_until?: Date;
  last_error?: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');

export async function createIntegrationIndexes(db: Db): Promise<void> {
  await integrations(db).createIndex({ business_id: 1, platform: 1, account_id: 1 }, { unique: true });
  await integrations(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

export async function findIntegration(db: Db, id: string, session?: ClientSession): Promise<IntegrationDocument | null> {
  return integrations(db).findOne({ _id: id }, session ? { session } : {});
}

export async function findIntegrationByAccount(
  db: Db,
  account: { businessId: string; platform: Platform; accountId: string },
  session: ClientSession,
): Promise<IntegrationDocument | null> {
  return integrations(db).findOne(
    { business_id: account.businessId, platform: account.platform, account_id: account.accountId },
    { session },
  );
}

/** Stores the account as it is now. `document.revision` is one more than the revision that was read. */
export async function putIntegration(db: Db, document: IntegrationDocument, session: ClientSession): Promise<void> {
  const { _id, ...rest } = document;
  const result = await integrations(db).replaceOne({ _id, revision: document.revision - 1 }, rest, {
    upsert: document.revision === 1,
    session,
  });
  if (result.matchedCount + result.upsertedCount === 0) throw new Error(`Integration ${_id} was changed by somebody else.`);
}

/** One replica at a time refreshes an account's tokens: a refresh token may work only once. @returns what to unlock with; undefined when it is taken */
export async function lockForRefresh(db: Db, id: string, revision: number, forMs: number): Promise<Date | undefined> {
  const free = { $expr: { $lte: [{ $ifNull: ['$refreshing_until', new Date(0)] }, '$$NOW'] } };
  const locked = await integrations(db).findOneAndUpdate(
    { _id: id, revision, ...free },
    [{ $set: { refreshing_until: { $add: ['$$NOW', forMs] } } }],
    { returnDocument: 'after', projection: { refreshing_until: 1 } },
  );
  return locked?.refreshing_until;
}

/** Who held it for too long changes nothing: somebody else has it now. */
export async function unlockRefresh(db: Db, id: string, lockedUntil: Date): Promise<void> {
  await integrations(db).updateOne({ _id: id, refreshing_until: lockedUntil }, { $unset: { refreshing_until: true } });
}

export async function listIntegrations(
  db: Db,
  query: { organizationId: string; businessId: string; pageSize: number; pageToken: string },
): Promise<{ rows: readonly IntegrationDocument[]; nextPageToken: string }> {
  const { organizationId, businessId, pageSize, pageToken } = query;
  const binding = ['integrations', businessId];
  const rows = await integrations(db)
    .find({ business_id: businessId, organization_id: organizationId, ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** What others may know of it: no token. */
export function toIntegration(document: IntegrationDocument): Integration {
  return {
    id: document._id,
    organizationId: document.organization_id,
    businessId: document.business_id,
    platform: document.platform,
    accountId: document.account_id,
    username: document.username,
    displayName: document.display_name,
    page: document.page,
    pictureUrl: document.picture_url,
    status: document.status,
    scopes: document.scopes,
    tokenExpiresAt: document.token_expires_at,
    lastError: document.last_error,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
  };
}
