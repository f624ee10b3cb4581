import type { ClientSession, Db } from 'mongodb';
import type { NoticeKind } from './notices.ts';

/** A person who may sign in. better-auth writes this too, with these names. */
export interface UserDocument {
  _id: string;
  /** Lower case, unique. */
  email: string;
  name: string;
  /** Whether they have confirmed the address. Before that nobody can sign in. */
  email_verified: boolean;
  created_at: Date;
  updated_at: Date;
  /** The name of the organization that is created when the address is confirmed. */
  pending_organization?: string | null;
  /** When operators disabled the user. */
  disabled_at?: Date;
  /** The reason, for operators. */
  disabled_reason?: string;
  /** Which mails they want; absent ones are on. */
  notifications?: NotificationSettings;
}

export type NotificationSettings = { readonly [kind in NoticeKind]?: boolean | undefined };

const users = (db: Db) => db.collection<UserDocument>('users');

export async function createUserIndexes(db: Db): Promise<void> {
  await users(db).createIndex({ email: 1 }, { unique: true });
}

export async function insertUser(db: Db, document: UserDocument, session: ClientSession): Promise<void> {
  await users(db).insertOne(document, { session });
}

export async function findUser(db: Db, id: string, session?: ClientSession): Promise<UserDocument | null> {
  return users(db).findOne({ _id: id }, session && { session });
}

/** @param email lower case */
export async function findUserByEmail(db: Db, email: string, session?: ClientSession): Promise<UserDocument | null> {
  return users(db).findOne({ email }, session && { session });
}

export async function findUserName(db: Db, id: string, session?: ClientSession): Promise<string | undefined> {
  return (await users(db).findOne({ _id: id }, { projection: { name: 1 }, ...(session && { session }) }))?.name;
}

/** Fields that are not given do not change. */
export async function updateUser(
  db: Db,
  id: string,
  { name, notifications = {} }: { readonly name?: string | undefined; readonly notifications?: NotificationSettings | undefined },
  session: ClientSession,
): Promise<UserDocument | null> {
  const wanted = Object.entries(notifications).flatMap(([kind, on]) => (on === undefined ? [] : [[`notifications.${kind}`, on] as const]));
  const set = { ...(name !== undefined && { name }), ...Object.fromEntries(wanted) };
  const change = { $set: set, $currentDate: { updated_at: true } } as const;
  return users(db).findOneAndUpdate({ _id: id }, change, { returnDocument: 'after', session });
}

/** Returns whether the address was not confirmed before. */
export async function markEmailVerified(db: Db, id: string, session?: ClientSession): Promise<boolean> {
  const change = { $set: { email_verified: true }, $currentDate: { updated_at: true } } as const;
  const { matchedCount } = await users(db).updateOne({ _id: id, email_verified: { $ne: true } }, change, session && { session });
  return matchedCount === 1;
}

/** The address has turned out to belong to somebody who did not create the account: everything that its creator chose is removed. */
export async function claimUser(
  db: Db,
  id: string,
  claimed: Pick<UserDocument, 'name' | 'email_verified' | 'pending_organization'>,
  session: ClientSession,
): Promise<void> {
  const change = { $set: { pending_organization: null, ...claimed }, $currentDate: { updated_at: true as const } };
  await users(db).updateOne({ _id: id }, change, { session });
}

/** Returns and removes the name of the organization that is to be created. */
export async function takePendingOrganization(db: Db, id: string, session: ClientSession): Promise<string | undefined> {
  const wanted = { _id: id, email_verified: true, pending_organization: { $type: 'string' } } as const;
  const before = await users(db).findOneAndUpdate(wanted, { $unset: { pending_organization: '' } }, { session, returnDocument: 'before' });
  return before?.pending_organization ?? undefined;
}

/** Disables the user, or leaves them disabled. @returns the previous document; null if there is none */
export async function disableUser(db: Db, id: string, reason: string, session: ClientSession): Promise<UserDocument | null> {
  const change = { disabled_at: { $ifNull: ['$disabled_at', '$$NOW'] }, disabled_reason: { $literal: reason }, updated_at: '$$NOW' };
  return users(db).findOneAndUpdate({ _id: id }, [{ $set: change }], { returnDocument: 'before', session });
}

/** @returns the previous document; null if there is none */
export async function enableUser(db: Db, id: string, session: ClientSession): Promise<UserDocument | null> {
  const change = { $unset: { disabled_at: '' as const, disabled_reason: '' as const }, $currentDate: { updated_at: true as const } };
  return users(db).findOneAndUpdate({ _id: id }, change, { returnDocument: 'before', session });
}
