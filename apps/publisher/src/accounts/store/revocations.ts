import { ofBusinesses, type Erased } from '@fanfare/erasure';
import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import { oauthOf, type LoginName, type Platform } from '@fanfare/connectors';
import { isCanary, newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { IntegrationDocument } from './integrations.ts';

/** Access to revoke at the platform: what is left of a disconnected account. */
export interface RevocationDocument extends LeasedRow {
  /** Whose it was; absent in rows of older versions. */
  organization_id?: string;
  business_id?: string;
  integration_id: string;
  platform: Platform;
  login?: LoginName;
  account_id: string;
  grant_id?: string;
  platform_user_id?: string;
  scopes: string[];
  /** As the integration had them, encrypted for it. */
  tokens: string;
  /** When it is due; while it is leased, when the lease ends. */
  run_at: Date;
  /** Used by the previous version, whose replicas may lease the row. */
  failures?: number;
}

const revocations = (db: Db) => db.collection<RevocationDocument>('revocations');

/** Rows of earlier versions have no fence until their next attempt. */
export const revocationRows = leasedRows<RevocationDocument>({ of: revocations, due: 'run_at', countsAttempts: true });

export async function createRevocationIndexes(db: Db): Promise<void> {
  await revocations(db).createIndex({ run_at: 1 });
  await revocations(db).createIndex({ integration_id: 1 });
}

/** Inserts the revocation of an account, if its platform supports revoking. */
export async function insertRevocationOf(db: Db, integration: IntegrationDocument, session: ClientSession): Promise<void> {
  // Its platform never had it.
  if (isCanary(integration.organization_id)) return;
  const { _id, platform, login, account_id, grant_id, platform_user_id, scopes, tokens } = integration;
  if (!oauthOf(platform, login).revoke || tokens === '') return;
  const person = platform_user_id === undefined ? {} : { platform_user_id };
  const about = {
    organization_id: integration.organization_id,
    business_id: integration.business_id,
    integration_id: _id,
    platform,
    ...(login && { login }),
    account_id,
    ...(grant_id !== undefined && { grant_id }),
    ...person,
  };
  await revocations(db).insertOne({ _id: newId(), ...about, scopes, tokens, run_at: new Date(0), failures: 0 }, { session });
  revocationRows.wakeWorkers(db, session);
}

/** An account that is connected again keeps its access. */
export async function dropRevocationsOf(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await revocations(db).deleteMany({ integration_id: integrationId }, { session });
}

/** How many are left of erased businesses. */
export const countRevocationsOf = (db: Db, erased: Erased): Promise<number> => revocations(db).countDocuments(ofBusinesses(erased));
