import type { LoginName, Platform } from '@fanfare/connectors';
import type { ConnectionStatus } from '@fanfare/contracts/publisher';
import { literals } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Scope } from './integrations.ts';

/** Why an attempt failed. */
export type ConnectionError = 'access_denied' | 'platform_error' | 'no_accounts' | 'other_account' | 'expired';

/** An attempt of a person to connect accounts, from start to result. It is found by the OAuth state that the platform returns. */
export interface ConnectionAttemptDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  platform: Platform;
  /** The login to use, where the platform has several. */
  login?: LoginName;
  /** The account to reconnect; no other account is accepted. */
  integration_id?: string;
  return_url: string;
  flow_id: string;
  /** Who began it; absent in attempts of older versions. */
  actor?: string;
  request_id?: string;
  status: ConnectionStatus;
  /** The operation that finished it: repeating it returns the same result. */
  finished_by?: string;
  /** While accounts are to be chosen: encrypted JSON of the accounts with their tokens. Erased after the choice. */
  offered?: string;
  /** When the platform granted access to the offered accounts. */
  granted_at?: Date;
  /** The person who logged in, while accounts are to be chosen; see `integrations`. */
  platform_user_id?: string;
  /** The operation that chose accounts. */
  chosen_by?: string;
  integration_ids: string[];
  error?: ConnectionError;
  error_message?: string;
  created_at: Date;
  /** When the attempt expires. */
  expires_at: Date;
}

const LIFETIME_MS = 10 * 60_000;
const attempts = (db: Db) => db.collection<ConnectionAttemptDocument>('connection_attempts');
const UNEXPIRED = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

export async function createConnectionAttemptIndexes(db: Db): Promise<void> {
  await attempts(db).createIndex({ finished_by: 1 }, { partialFilterExpression: { finished_by: { $exists: true } } });
  // Cleans up only: expires_at decides whether the attempt has expired.
  await attempts(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 3600 });
}

/** Changes nothing if it exists: a repeat of the same operation. */
export async function insertConnectionAttempt(
  db: Db,
  attempt: Pick<
    ConnectionAttemptDocument,
    '_id' | 'organization_id' | 'business_id' | 'platform' | 'login' | 'integration_id' | 'return_url' | 'flow_id' | 'actor' | 'request_id'
  >,
): Promise<void> {
  const { _id, ...rest } = attempt;
  const fresh = {
    $mergeObjects: [
      '$$ROOT',
      { $literal: { ...rest, status: 'CONNECTION_STATUS_PENDING', integration_ids: [] } },
      { created_at: '$$NOW', expires_at: { $add: ['$$NOW', LIFETIME_MS] } },
    ],
  };
  const isNew = { $eq: [{ $type: '$status' }, 'missing'] };
  await attempts(db).updateOne({ _id }, [{ $replaceWith: { $cond: [isNew, fresh, '$$ROOT'] } }], { upsert: true });
}

export async function findConnectionAttempt(db: Db, id: string, scope: Scope): Promise<ConnectionAttemptDocument | null> {
  return attempts(db).findOne({ _id: id, organization_id: scope.organizationId, business_id: scope.businessId });
}

/** Whether it has expired, by the database's clock. */
export async function isOver(db: Db, id: string): Promise<boolean> {
  return (await attempts(db).findOne({ _id: id, ...UNEXPIRED }, { projection: { _id: 1 } })) === null;
}

/** Claims the attempt for the browser that came back, so that only one request finishes it. */
export async function takeUpConnectionAttempt(db: Db, id: string, operationId: string): Promise<ConnectionAttemptDocument | null> {
  return attempts(db).findOneAndUpdate(
    { _id: id, status: 'CONNECTION_STATUS_PENDING', finished_by: { $exists: false }, ...UNEXPIRED },
    { $set: { finished_by: operationId } },
    { returnDocument: 'after' },
  );
}

export async function findFinishedBy(db: Db, operationId: string): Promise<ConnectionAttemptDocument | null> {
  return attempts(db).findOne({ finished_by: operationId });
}

/** Stores the result of a claimed attempt: connected accounts, accounts to choose from, or a failure. */
export async function storeConnectionResult(
  db: Db,
  id: string,
  outcome: Pick<ConnectionAttemptDocument, 'status'> &
    Partial<Pick<ConnectionAttemptDocument, 'offered' | 'granted_at' | 'platform_user_id' | 'integration_ids' | 'error' | 'error_message'>>,
  session?: ClientSession,
): Promise<ConnectionAttemptDocument> {
  const stored = await attempts(db).findOneAndUpdate(
    { _id: id, status: 'CONNECTION_STATUS_PENDING' },
    [{ $set: { ...literals(outcome), expires_at: { $add: ['$$NOW', LIFETIME_MS] } } }],
    { returnDocument: 'after', ...(session && { session }) },
  );
  if (!stored) throw new Error(`The connection attempt ${id} is not being finished.`);
  return stored;
}

/** Stores the choice of accounts; null if the attempt has nothing to choose from or has expired. */
export async function chooseOfAttempt(
  db: Db,
  id: string,
  scope: Scope,
  choice: { operationId: string; integrationIds: readonly string[] },
  session: ClientSession,
): Promise<ConnectionAttemptDocument | null> {
  return attempts(db).findOneAndUpdate(
    {
      _id: id,
      organization_id: scope.organizationId,
      business_id: scope.businessId,
      status: 'CONNECTION_STATUS_CHOOSING',
      ...UNEXPIRED,
    },
    {
      $set: { status: 'CONNECTION_STATUS_CONNECTED', chosen_by: choice.operationId, integration_ids: [...choice.integrationIds] },
      $unset: { offered: true, platform_user_id: true },
    },
    { returnDocument: 'after', session },
  );
}
