import { createHash } from 'node:crypto';
import type { LoginName, Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';

/** An OAuth flow in progress. */
export interface ConnectionDocument {
  /** Hash of the state parameter (see `hashState`): the state itself is a secret. */
  _id: string;
  organization_id: string;
  business_id: string;
  platform: Platform;
  /** The login to use, where the platform has several. */
  login?: LoginName;
  redirect_uri: string;
  /** The attempt that it belongs to; absent for flows that CompleteConnection finishes. */
  attempt_id?: string;
  /** Sealed PKCE verifier, where the platform uses PKCE. */
  code_verifier?: string;
  expires_at: Date;
}

const HASHED = 'sha256.';

/** What is stored of a state. One round of SHA-256 is enough, because a state is as random as a key. */
export const hashState = (state: string): string => HASHED + createHash('sha256').update(state).digest('base64url');

/** Flows that the previous version started are stored under the state itself; a state that looks like a hash is not one of them. */
const storedAs = (state: string) => ({ $in: state.startsWith(HASHED) ? [hashState(state)] : [hashState(state), state] });

const LIFETIME_MS = 10 * 60_000;
const connections = (db: Db) => db.collection<ConnectionDocument>('connections');

export async function createConnectionIndexes(db: Db): Promise<void> {
  // Cleans up only: expires_at decides whether a state is still valid.
  await connections(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 3600 });
}

/** @returns when it expires */
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

/** Finds and deletes it: a state works once. */
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

/** Finds and deletes the flow of a state, whoever sends it. Only flows with an attempt: the others are for CompleteConnection. */
export async function takeConnectionByState(db: Db, state: string): Promise<ConnectionDocument | null> {
  return connections(db).findOneAndDelete({
    _id: storedAs(state),
    attempt_id: { $exists: true },
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  });
}
