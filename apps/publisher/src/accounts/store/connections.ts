import { createHash } from 'node:crypto';
import type { LoginName, Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';

/** An OAuth flow that a person is in the middle of. */
export interface ConnectionDocument {
  /** Of the state parameter: its hash (see `hashState`), because whoever knows the state itself may bring it. */
  _id: string;
  organization_id: string;
  business_id: string;
  platform: Platform;
  /** How the person is to sign in, where the platform has several ways. */
  login?: LoginName;
  redirect_uri: string;
  /** The attempt that it leads to; absent for those that CompleteConnection finishes. */
  attempt_id?: string;
  /** Sealed PKCE verifier, where the platform uses PKCE. */
  code_verifier?: string;
  expires_at: Date;
}

const HASHED = 'sha256.';

/** What is stored of a state. It is as random as a key, so that one round of SHA-256 is enough. */
export const hashState = (state: string): string => HASHED + createHash('sha256').update(state).digest('base64url');

/** Flows that the version before began are still there by the state itself. What looks like a hash is none of those. */
const storedAs = (state: string) => ({ $in: state.startsWith(HASHED) ? [hashState(state)] : [hashState(state), state] });

const LIFETIME_MS = 10 * 60_000;
const connections = (db: Db) => db.collection<ConnectionDocument>('connections');

export async function createConnectionIndexes(db: Db): Promise<void> {
  // Cleans up only: whether a state still works is asked of expires_at.
  await connections(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 3600 });
}

/** @returns when it works no more */
export async function insertConnection(db: Db, connection: Omit<ConnectionDocument, 'expires_at'>): Promise<Date> {
  const { _id, ...rest } = connection;
  const inserted = await connections(db).findOneAndUpdate(
    { _id },
    [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: rest }, { expires_at: { $add: ['$$NOW', LIFETIME_MS] } }] } }],
    { upsert: true, returnDocument: 'after' },
  );
  if (!inserted) throw new Error('A connection was not written.');
  return inserted.expires_at;
}

/** Takes it: a state works once. */
export async function takeConnection(
  db: Db,
  state: string,
  scope: { organizationId: string; businessId: string },
): Promise<ConnectionDocument | null> {
  return connections(db).findOneAndDelete({
    _id: storedAs(state),
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  });
}

/** Takes it for whoever brings the state, which says whose it is. Only one that leads to an attempt: others are for CompleteConnection. */
export async function takeConnectionByState(db: Db, state: string): Promise<ConnectionDocument | null> {
  return connections(db).findOneAndDelete({
    _id: storedAs(state),
    attempt_id: { $exists: true },
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  });
}
