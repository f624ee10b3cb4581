import { leasedRows } from '@fanfare/leased-work';
import type { ClientSession, Db } from 'mongodb';
import { now } from '@fanfare/runtime';
import type { IntegrationDocument } from './integrations.ts';

const integrations = (db: Db) => db.collection<IntegrationDocument>('integrations');

/**
 * Accounts whose tokens are due for a check, leased by one process at a time. Tokens are changed only under `lockForRefresh`, which deliveries use as
 * well.
 */
export const tokenCheckRows = leasedRows<IntegrationDocument>({ of: integrations, due: 'token_check_at', organizationTime: true });

/** No replica refreshes its tokens now. */
const UNLOCKED = { $expr: { $lte: [{ $ifNull: ['$refreshing_until', new Date(0)] }, '$$NOW'] } };

export async function createTokenCheckIndexes(db: Db): Promise<void> {
  const partialFilterExpression = { token_check_at: { $exists: true } };
  await integrations(db).createIndex({ token_check_at: 1 }, { name: 'token_checks', partialFilterExpression });
  await integrations(db).createIndex({ grant_id: 1 }, { partialFilterExpression: { grant_id: { $exists: true } } });
  await integrations(db).createIndex({ platform: 1, account_id: 1 });
}

/** For the token checks of one organization, which its test clock makes due. */
export async function createClockedTokenCheckIndex(db: Db): Promise<void> {
  const partialFilterExpression = { token_check_at: { $exists: true } };
  await integrations(db).createIndex(
    { organization_id: 1, token_check_at: 1 },
    { name: 'token_checks_of_organization', partialFilterExpression },
  );
}

/** Accounts connected by an older version are checked shortly before their tokens expire, as that version did. */
export async function planOldTokens(db: Db): Promise<void> {
  await integrations(db).updateMany(
    { token_check_at: { $exists: false }, token_expires_at: { $exists: true }, status: 'INTEGRATION_STATUS_CONNECTED' },
    [{ $set: { token_check_at: { $subtract: ['$token_expires_at', 5 * 60_000] } } }],
  );
}

/** One replica at a time refreshes an account's tokens: a refresh token may work only once. @returns the lock; undefined when another replica has it */
export async function lockForRefresh(db: Db, id: string, revision: number, forMs: number): Promise<Date | undefined> {
  const locked = await integrations(db).findOneAndUpdate(
    { _id: id, revision, ...UNLOCKED },
    [{ $set: { refreshing_until: { $add: ['$$NOW', forMs] } } }],
    { returnDocument: 'after', projection: { refreshing_until: 1 } },
  );
  return locked?.refreshing_until;
}

/** Fields to set; undefined ones are removed. */
export type TokenChange = {
  readonly [
    K in
      | 'status'
      | 'scopes'
      | 'tokens'
      | 'token_expires_at'
      | 'reconnect_by'
      | 'token_check_at'
      | 'refreshable'
      | 'refresh_failures'
      | 'last_error'
  ]?: IntegrationDocument[K] | undefined;
};

/**
 * Stores the result of a refresh and unlocks. Writes only its own fields: settings may have changed meanwhile.
 * @returns null when another process has the lock by now, or the account was disconnected or reconnected: then the result is obsolete
 */
export async function storeRefreshed(
  db: Db,
  id: string,
  lockedUntil: Date,
  change: TokenChange,
  session: ClientSession,
  organizationId: string,
): Promise<IntegrationDocument | null> {
  const entries = Object.entries(change);
  const $set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const $unset = Object.fromEntries(entries.filter(([, value]) => value === undefined).map(([name]) => [name, true as const]));
  return integrations(db).findOneAndUpdate(
    { _id: id, refreshing_until: lockedUntil, status: { $ne: 'INTEGRATION_STATUS_DISCONNECTED' } },
    { $set: { ...$set, updated_at: now(organizationId) }, $unset: { ...$unset, refreshing_until: true }, $inc: { revision: 1 } },
    { returnDocument: 'after', session },
  );
}

/** Unlocks, unless the lock has expired and another process has it. */
export async function unlockRefresh(db: Db, id: string, lockedUntil: Date): Promise<void> {
  await integrations(db).updateOne({ _id: id, refreshing_until: lockedUntil }, { $unset: { refreshing_until: true } });
}

/** Repeats a failed check later. Nothing that others see changes. @throws LeaseLost */
export async function postponeTokenCheck(db: Db, row: IntegrationDocument, inMs: number, failures: number): Promise<void> {
  await tokenCheckRows.postpone(db, row, inMs, [{ $set: { refresh_failures: failures } }]);
}
