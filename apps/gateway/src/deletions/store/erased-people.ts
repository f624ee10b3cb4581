import type { ClientSession, Db } from 'mongodb';

interface Member {
  _id: string;
  organization_id: string;
  user_id: string;
}

interface User {
  _id: string;
  email: string;
  disabled_at?: Date;
}

const members = (db: Db) => db.collection<Member>('members');
const users = (db: Db) => db.collection<User>('users');

export const findMemberships = (db: Db, organizationId: string, limit: number): Promise<Member[]> =>
  members(db).find({ organization_id: organizationId }).limit(limit).toArray();

export async function deleteMembership(db: Db, id: string, session: ClientSession): Promise<void> {
  await members(db).deleteOne({ _id: id }, { session });
}

/** Whether a user belongs to another organization, or is disabled. */
export async function isElsewhere(db: Db, userId: string, session: ClientSession): Promise<boolean> {
  const user = await users(db).findOne({ _id: userId }, { session });
  return user?.disabled_at !== undefined || (await members(db).findOne({ user_id: userId }, { session })) !== null;
}

/** Deletes a user, with everything that is stored about them alone. */
export async function deletePerson(db: Db, userId: string, session: ClientSession): Promise<void> {
  const user = await users(db).findOneAndDelete({ _id: userId }, { session });
  const ofUser = { user_id: userId };
  for (const name of ['accounts', 'sessions']) await db.collection(name).deleteMany(ofUser, { session });
  await db.collection('verifications').deleteMany({ value: userId }, { session });
  if (user) {
    await db.collection<{ _id: string }>('sign_in_addresses').deleteOne({ _id: user.email }, { session });
    await db.collection('sign_ups').deleteMany({ email: user.email }, { session });
    const attempts = [`mail ${user.email}`, `password ${user.email}`];
    const ofAddresses = { $gte: `password ${user.email} `, $lt: `password ${user.email}!` };
    const ofAccount = { $or: [{ _id: { $in: attempts } }, { _id: ofAddresses }] };
    await db.collection<{ _id: string }>('throttles').deleteMany(ofAccount, { session });
  }
  // Of sign-ins and the like, which belong to no organization.
  const actor = `user:${userId}`;
  await db.collection('audit_entries').deleteMany({ organization_id: null, $or: [{ actor }, { target_id: userId }] }, { session });
  await db.collection<{ _id: string }>('rate_windows').deleteOne({ _id: actor }, { session });
  await db.collection<{ _id: string }>('idempotency_records').deleteMany({ _id: { $gte: `${userId}:`, $lt: `${userId};` } }, { session });
}
