import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';

/** Who started to connect an account, until the person has returned from the platform or the state has expired. */
interface ConnectionStarterDocument {
  /** SHA-256 of the state: the state itself works as a credential. */
  _id: string;
  organization_id: string;
  /** `key:<id>` or `user:<id>`. */
  actor: string;
  expires_at: Date;
}

/** A repeated callback gets the same result for an hour. */
const KEPT_SECONDS = 3600;

const starters = (db: Db) => db.collection<ConnectionStarterDocument>('connection_starters');

const hashOf = (state: string) => createHash('sha256').update(state).digest('base64url');

export async function createConnectionStarterIndexes(db: Db): Promise<void> {
  await starters(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** @param started `expiresAt`: when the state expires */
export async function saveConnectionStarter(
  db: Db,
  { state, organizationId, actor, expiresAt }: { state: string; organizationId: string; actor: string; expiresAt: Date },
): Promise<void> {
  const starter = { organization_id: organizationId, actor, expires_at: expiresAt };
  await starters(db).updateOne({ _id: hashOf(state) }, { $set: starter }, { upsert: true });
}

/** Null for a state that is unknown, or from before starters were stored. */
export async function findConnectionStarter(
  db: Db,
  state: string,
): Promise<Pick<ConnectionStarterDocument, 'organization_id' | 'actor'> | null> {
  return starters(db).findOne({ _id: hashOf(state) });
}
