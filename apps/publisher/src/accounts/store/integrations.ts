import type { LeasedRow } from '@fanfare/leased-work';
import { loginNamesOf, type LoginName, type Platform } from '@fanfare/connectors';
import type { Integration, IntegrationStatus } from '@fanfare/contracts/publisher';
import { after, pageOf, parsePageToken, readerById } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { Config } from '../../config.ts';
import { capabilitiesOf } from '../domain/capabilities.ts';
import { accessEndsAt } from '../domain/token-plan.ts';

export interface IntegrationDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  platform: Platform;
  /** The login that was used, where the platform has several; absent in rows of older versions, which had only the default one. */
  login?: LoginName;
  account_id: string;
  username: string;
  display_name: string;
  page: string;
  picture_url?: string;
  status: IntegrationStatus;
  scopes: string[];
  token_expires_at?: Date;
  /** When only the person can renew its tokens. */
  reconnect_by?: Date;
  /** Encrypted JSON: access token and refresh token. Empty after a disconnect. */
  tokens: string;
  /** Whether the tokens can be refreshed without the person; absent in rows of older versions, where a refresh is tried. */
  refreshable?: boolean;
  /** When to check the tokens next: to refresh them, or to report that they expire. */
  token_check_at?: Date;
  /** Consecutive refreshes that failed for a temporary reason. */
  refresh_failures?: number;
  /** Lock: while one replica refreshes the tokens, no other does. */
  refreshing_until?: Date;
  /** The platform's id, for our app, of the person who logged in, where the platform has one. */
  platform_user_id?: string;
  /** When that login was granted; absent in rows of older versions. */
  granted_at?: Date;
  /** The login that its tokens come from: accounts of one login lose their access together. */
  grant_id?: string;
  /** Options of the account as observed at the platform; the settings take precedence. */
  observed_options?: Record<string, unknown>;
  /** As the connector's `options` describe them. */
  settings?: Record<string, unknown>;
  last_error?: string;
  /** The latest disconnect, even if the account was reconnected since: deliveries requested before it are not sent. */
  disconnected_at?: Date;
  created_at: Date;
  updated_at: Date;
  revision: number;
  /** The latest operations that changed it: repeating one of them changes nothing. */
  operation_ids?: string[];
}

/** Whether it can be published to. */
export const isWorking = ({ status }: Pick<IntegrationDocument, 'status'>): boolean =>
  status === 'INTEGRATION_STATUS_CONNECTED' || status === 'INTEGRATION_STATUS_EXPIRING';

/** The owner that a query is limited to. */
export interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');

export async function createIntegrationIndexes(db: Db): Promise<void> {
  await integrations(db).createIndex({ business_id: 1, platform: 1, account_id: 1 }, { unique: true });
  await integrations(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
}

export async function findIntegration(db: Db, id: string, session?: ClientSession): Promise<IntegrationDocument | null> {
  return integrations(db).findOne({ _id: id }, session ? { session } : {});
}

/** The account, if it is this business's. */
export async function findOwnIntegration(db: Db, id: string, scope: Scope, session?: ClientSession): Promise<IntegrationDocument | null> {
  const where = { _id: id, organization_id: scope.organizationId, business_id: scope.businessId };
  return integrations(db).findOne(where, session ? { session } : {});
}

/** The account as it is now. */
export const readIntegration = readerById(integrations);

/** Whether the organization has, or had, an account. For operators: the query is not indexed. */
export async function hasIntegrations(db: Db, organizationId: string): Promise<boolean> {
  return (await integrations(db).findOne({ organization_id: organizationId }, { projection: { _id: 1 } })) !== null;
}

/** The accounts that an organization has, or had. */
export async function listIntegrationsOf(db: Db, organizationId: string): Promise<Pick<IntegrationDocument, 'platform' | 'account_id'>[]> {
  return integrations(db)
    .find({ organization_id: organizationId }, { projection: { platform: 1, account_id: 1 } })
    .toArray();
}

export async function findIntegrationsByIds(db: Db, ids: readonly string[]): Promise<IntegrationDocument[]> {
  return integrations(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** Which of these accounts the business has connected already: account id → integration. */
export async function findConnectedAccounts(
  db: Db,
  businessId: string,
  platform: Platform,
  accountIds: readonly string[],
): Promise<Map<string, IntegrationDocument>> {
  const found = await integrations(db)
    .find({ business_id: businessId, platform, account_id: { $in: [...accountIds] } })
    .toArray();
  return new Map(found.map((one) => [one.account_id, one]));
}

/**
 * Whether revoking the access of one account would, or could, revoke that of another: of the same login, the same account in another business, or, on
 * platforms that revoke everything a person granted, of the same person. For accounts connected by an older version the person is unknown.
 */
export async function isAccessShared(
  db: Db,
  {
    integrationId,
    platform,
    accountId,
    grantId,
    userId,
    revokes = [],
  }: {
    integrationId: string;
    platform: Platform;
    accountId: string;
    grantId?: string | undefined;
    userId?: string | undefined;
    revokes?: readonly Platform[] | undefined;
  },
): Promise<boolean> {
  const person: Filter<IntegrationDocument> =
    userId === undefined ? {} : { $or: [{ platform_user_id: userId }, { platform_user_id: { $exists: false } }] };
  const ofPerson: Filter<IntegrationDocument> = { platform: { $in: [...revokes] }, ...person };
  const other = await integrations(db).findOne(
    {
      _id: { $ne: integrationId },
      status: { $ne: 'INTEGRATION_STATUS_DISCONNECTED' },
      $or: [
        { platform, account_id: accountId },
        ...(grantId === undefined ? [] : [{ grant_id: grantId }]),
        ...(revokes.length > 0 ? [ofPerson] : []),
      ],
    },
    { projection: { _id: 1 } },
  );
  return other !== null;
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
  if (result.matchedCount + result.upsertedCount === 0) throw new Error(`Integration ${_id} was changed by another write.`);
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

/** An account as the API returns it, without tokens. */
export function toIntegration(document: IntegrationDocument, config: Pick<Config, 'platforms'>): Integration {
  return {
    id: document._id,
    organizationId: document.organization_id,
    businessId: document.business_id,
    platform: document.platform,
    login: document.login ?? loginNamesOf(document.platform)[0],
    accountId: document.account_id,
    username: document.username,
    displayName: document.display_name,
    page: document.page,
    pictureUrl: document.picture_url,
    status: document.status,
    scopes: document.scopes,
    tokenExpiresAt: document.token_expires_at,
    reconnectBy: document.reconnect_by,
    accessEndsAt: accessEndsAt(document),
    lastError: document.last_error,
    settings: document.settings ?? {},
    observedOptions: document.observed_options ?? {},
    capabilities: capabilitiesOf(document, config),
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
  };
}
