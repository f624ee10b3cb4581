import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/** A way to sign in: a password (`credential`), or an account at a provider. Written by better-auth with these names. */
export interface AccountDocument {
  _id: string;
  user_id: string;
  /** `credential`, or the provider's id. */
  provider_id: string;
  /** The provider's issuer and subject, separated by a space; for a password, the user's id. */
  account_id: string;
  /** Salt and scrypt hash. */
  password?: string;
  /** The number of sign-ins with the password. */
  sign_ins?: number;
  created_at: Date;
  updated_at: Date;
}

/** better-auth's name for passwords. */
const CREDENTIAL = 'credential';

const accounts = (db: Db) => db.collection<AccountDocument>('accounts');

export async function createAccountIndexes(db: Db): Promise<void> {
  await accounts(db).createIndexes([{ key: { provider_id: 1, account_id: 1 }, unique: true }, { key: { user_id: 1 } }]);
  // Tokens that prove an address, or carry a sign-in to the web app. The collection is better-auth's.
  await db.collection('verifications').createIndexes([{ key: { identifier: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
}

export async function findPasswordHash(db: Db, userId: string, session?: ClientSession): Promise<string | undefined> {
  return (await accounts(db).findOne({ user_id: userId, provider_id: CREDENTIAL }, session && { session }))?.password;
}

/**
 * Counts a sign-in and returns whether the password still has this hash. It writes, so that a concurrent change of the password commits either before or
 * after: if after, it ends the session that was created before this call.
 */
export async function countSignIn(db: Db, userId: string, hash: string): Promise<boolean> {
  const current = { provider_id: CREDENTIAL, account_id: userId, password: hash };
  return (await accounts(db).updateOne(current, { $inc: { sign_ins: 1 } })).matchedCount === 1;
}

/** Sets a user's password, even if they had none. */
export async function putPasswordHash(
  db: Db,
  { id, userId, hash }: { id: string; userId: string; hash: string },
  session?: ClientSession,
): Promise<void> {
  await accounts(db).updateOne(
    { provider_id: CREDENTIAL, account_id: userId },
    { $set: { password: hash }, $setOnInsert: { _id: id, user_id: userId, created_at: currentTime() }, $currentDate: { updated_at: true } },
    { upsert: true, ...(session && { session }) },
  );
}

/**
 * Deletes all password reset links of a user. A link is a verification (better-auth's) whose value is the user's id.
 * @param usedId the link that is being used
 * @returns whether that link still existed; true without one
 */
export async function deletePasswordResets(db: Db, userId: string, usedId: string | undefined, session: ClientSession): Promise<boolean> {
  const verifications = db.collection<{ _id: string; value: string }>('verifications');
  const wasThere = usedId === undefined || (await verifications.deleteOne({ _id: usedId, value: userId }, { session })).deletedCount === 1;
  await verifications.deleteMany({ value: userId }, { session });
  return wasThere;
}

export async function createVerificationValueIndex(db: Db): Promise<void> {
  await db.collection('verifications').createIndex({ value: 1 });
}

export async function deletePassword(db: Db, userId: string, session: ClientSession): Promise<void> {
  await accounts(db).deleteMany({ user_id: userId, provider_id: CREDENTIAL }, { session });
}

export async function insertAccount(db: Db, document: AccountDocument, session: ClientSession): Promise<void> {
  await accounts(db).insertOne(document, { session });
}

/** The user of an account at a provider. */
export async function findAccountUserId(db: Db, providerId: string, accountId: string): Promise<string | undefined> {
  return (await accounts(db).findOne({ provider_id: providerId, account_id: accountId }))?.user_id;
}
