import type { Platform } from '@fanfare/connectors';
import type { IntegrationStatus } from '@fanfare/contracts/publisher';
import { leasedRows } from '@fanfare/leased-work';
import { literals, readerById } from '@fanfare/mongo';
import { aheadMs } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { AccountDocument } from '../account.ts';

const accounts = (db: Db) => db.collection<AccountDocument>('accounts');

/** Accounts whose daily snapshot is due. */
export const accountRows = leasedRows<AccountDocument>({ of: accounts, due: 'snapshot_at', countsAttempts: true, organizationTime: true });

export async function createAccountIndexes(db: Db): Promise<void> {
  await accounts(db).createIndex({ business_id: 1 });
  await accounts(db).createIndex({ snapshot_at: 1 }, { partialFilterExpression: { snapshot_at: { $exists: true } } });
}

/** For the work of one organization, which its test clock makes due. */
export async function createOwnerIndex(db: Db): Promise<void> {
  await accounts(db).createIndex({ organization_id: 1 });
}

/** The accounts of an organization. */
export async function findAccountIds(db: Db, organizationId: string): Promise<string[]> {
  const found = await accounts(db)
    .find({ organization_id: organizationId }, { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

export const findAccount: (db: Db, id: string) => Promise<AccountDocument | null> = readerById(accounts);

interface AccountState {
  readonly _id: string;
  readonly organization_id: string;
  readonly business_id: string;
  readonly platform: Platform;
  readonly account_id: string;
  readonly status: IntegrationStatus;
  readonly revision: number;
}

/**
 * Stores the state if its revision is newer than the stored one. A newly connected account gets its first snapshot within `firstInMs`.
 * @returns whether the revision was newer
 */
export async function putAccount(db: Db, state: AccountState, firstInMs: number, session: ClientSession): Promise<boolean> {
  const { _id, ...fields } = state;
  const known = await accounts(db).findOne({ _id }, { session, projection: { revision: 1, snapshot_at: 1 } });
  if (known && known.revision >= state.revision) return false;
  const isDisconnected = state.status === 'INTEGRATION_STATUS_DISCONNECTED';
  const plan = isDisconnected
    ? [{ $unset: 'snapshot_at' }]
    : known?.snapshot_at
      ? []
      : [{ $set: { snapshot_at: { $add: ['$$NOW', Math.round(firstInMs) + aheadMs(state.organization_id)] }, attempts: 0 } }];
  await accounts(db).updateOne({ _id }, [{ $set: literals(fields) }, ...plan], { upsert: true, session });
  return true;
}

export const countDueAccounts = (db: Db): Promise<number> =>
  accounts(db).countDocuments({ snapshot_at: { $exists: true }, $expr: { $lte: ['$snapshot_at', '$$NOW'] } });

/** For how long the account that was due first has been due, in milliseconds; 0 if none is due. */
export async function accountLagMs(db: Db): Promise<number> {
  const nextInMs = await accountRows.nextInMs(db);
  return Math.max(0, -(nextInMs ?? 0));
}
