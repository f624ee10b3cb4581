import type { LoginName, Platform } from '@fanfare/connectors';
import type { ConnectionStatus } from '@fanfare/contracts/publisher';
import type { ClientSession, Db } from 'mongodb';
import type { Scope } from './integrations.ts';

/** Why an attempt connected nothing. */
export type ConnectionError = 'access_denied' | 'platform_error' | 'no_accounts' | 'other_account' | 'expired';

/** An attempt of a person to connect accounts, from its beginning to its outcome. The state that the platform hands back leads to it. */
export interface ConnectionAttemptDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  platform: Platform;
  /** How the person is to sign in, where the platform has several ways. */
  login?: LoginName;
  /** The account that is to be connected again; no other one will do. */
  integration_id?: string;
  return_url: string;
  flow_id: string;
  status: ConnectionStatus;
  /** The browser's request that finished it: a repeat of that call answers like the first. */
  finished_by?: string;
  /** While some are to be chosen: sealed JSON, the accounts with their tokens. Erased with the choice. */
  offered?: string;
  /** When the platform granted what is on offer. */
  granted_at?: Date;
  /** Whose login it is, while some are to be chosen; see the integrations'. */
  platform_user_id?: string;
  /** The operation that chose. */
  chosen_by?: string;
  integration_ids: string[];
  error?: ConnectionError;
  error_message?: string;
  created_at: Date;
  /** When it can no longer be gone on with. */
  expires_at: Date;
}

const LIFETIME_MS = 10 * 60_000;
const attempts = (db: Db) => db.collection<ConnectionAttemptDocument>('connection_attempts');
const UNEXPIRED = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

export async function createConnectionAttemptIndexes(db: Db): Promise<void> {
  await attempts(db).createIndex({ finished_by: 1 }, { partialFilterExpression: { finished_by: { $exists: true } } });
  // Cleans up only: whether it can still be gone on with is asked of expires_at.
  await attempts(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 3600 });
}

/** One that is there already stays as it is: its beginning was asked for before. */
export async function insertConnectionAttempt(
  db: Db,
  attempt: Pick<
    ConnectionAttemptDocument,
    '_id' | 'organization_id' | 'business_id' | 'platform' | 'login' | 'integration_id' | 'return_url' | 'flow_id'
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

/** Whether it can no longer be gone on with, by the database's clock. */
export async function isOver(db: Db, id: string): Promise<boolean> {
  return (await attempts(db).findOne({ _id: id, ...UNEXPIRED }, { projection: { _id: 1 } })) === null;
}

/** Takes it up for the browser that came back: one that somebody finishes, nobody else does. */
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

/** How a take-up ended: with accounts, with a choice to be made, or with nothing. */
export async function settleConnectionAttempt(
  db: Db,
  id: string,
  outcome: Pick<ConnectionAttemptDocument, 'status'> &
    Partial<Pick<ConnectionAttemptDocument, 'offered' | 'granted_at' | 'platform_user_id' | 'integration_ids' | 'error' | 'error_message'>>,
  session?: ClientSession,
): Promise<ConnectionAttemptDocument> {
  const settled = await attempts(db).findOneAndUpdate(
    { _id: id, status: 'CONNECTION_STATUS_PENDING' },
    [{ $set: { ...literals(outcome), expires_at: { $add: ['$$NOW', LIFETIME_MS] } } }],
    { returnDocument: 'after', ...(session && { session }) },
  );
  if (!settled) throw new Error(`The connection attempt ${id} is not being finished.`);
  return settled;
}

/** Ends the choice; null when there is none to be made, or no longer. */
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

/** Platforms' and people's text may begin with a dollar sign; in a pipeline that would name a field. */
const literals = (change: object) =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { $literal: value as unknown }]));
