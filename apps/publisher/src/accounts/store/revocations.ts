import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import { oauthOf, type LoginName, type Platform } from '@fanfare/connectors';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { IntegrationDocument } from './integrations.ts';

/** Access that is to be taken back at the platform: what is left of an account that was disconnected. */
export interface RevocationDocument extends LeasedRow {
  integration_id: string;
  platform: Platform;
  login?: LoginName;
  account_id: string;
  grant_id?: string;
  platform_user_id?: string;
  scopes: string[];
  /** As the integration had them, sealed for it. */
  tokens: string;
  /** When it is due; while a process has it, when its lease ends. */
  run_at: Date;
  /** Counted by the version before this, whose replicas may take the row. */
  failures?: number;
}

const revocations = (db: Db) => db.collection<RevocationDocument>('revocations');

/** Rows of versions before this have no fence yet, and count from their next attempt on. */
export const revocationRows = leasedRows<RevocationDocument>({ of: revocations, due: 'run_at', countsAttempts: true });

export async function createRevocationIndexes(db: Db): Promise<void> {
  await revocations(db).createIndex({ run_at: 1 });
  await revocations(db).createIndex({ integration_id: 1 });
}

/** For an account as it was, where its platform can be asked to. */
export async function insertRevocationOf(db: Db, integration: IntegrationDocument, session: ClientSession): Promise<void> {
  const { _id, platform, login, account_id, grant_id, platform_user_id, scopes, tokens } = integration;
  if (!oauthOf(platform, login).revoke || tokens === '') return;
  const person = platform_user_id === undefined ? {} : { platform_user_id };
  const about = {
    integration_id: _id,
    platform,
    ...(login && { login }),
    account_id,
    ...(grant_id !== undefined && { grant_id }),
    ...person,
  };
  await revocations(db).insertOne({ _id: newId(), ...about, scopes, tokens, run_at: new Date(0), failures: 0 }, { session });
}

/** An account that is connected again keeps its access. */
export async function dropRevocationsOf(db: Db, integrationId: string, session: ClientSession): Promise<void> {
  await revocations(db).deleteMany({ integration_id: integrationId }, { session });
}
