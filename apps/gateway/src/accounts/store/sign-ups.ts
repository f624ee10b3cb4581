import type { ClientSession, Db } from 'mongodb';

/** A sign-up. The account is created when its address is confirmed. */
export interface SignUpDocument {
  _id: string;
  /** Lower case. One address may have several sign-ups. */
  email: string;
  name: string;
  organization_name: string;
  created_at: Date;
  expires_at: Date;
}

export const SIGN_UP_MS = 60 * 60_000;

const signUps = (db: Db) => db.collection<SignUpDocument>('sign_ups');

export async function createSignUpIndexes(db: Db): Promise<void> {
  await signUps(db).createIndexes([{ key: { email: 1, created_at: -1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
}

const open = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

export async function insertSignUp(db: Db, document: SignUpDocument, session: ClientSession): Promise<void> {
  await signUps(db).insertOne(document, { session });
}

export async function findOpenSignUp(db: Db, id: string): Promise<SignUpDocument | null> {
  return signUps(db).findOne({ _id: id, ...open });
}

export async function countOpenSignUps(db: Db, email: string, session: ClientSession): Promise<number> {
  return signUps(db).countDocuments({ email, ...open }, { session });
}

/** Renews the validity of the last `most` sign-ups of an address. @returns those that are open */
export async function renewSignUps(db: Db, email: string, most: number, session: ClientSession): Promise<SignUpDocument[]> {
  const found = await signUps(db)
    .find({ email, ...open }, { session })
    .sort({ created_at: -1 })
    .limit(most)
    .toArray();
  const ids = found.map(({ _id }) => _id);
  await signUps(db).updateMany({ _id: { $in: ids } }, [{ $set: { expires_at: { $add: ['$$NOW', SIGN_UP_MS] } } }], { session });
  return found;
}

/** Ends all sign-ups of an address. Returns whether this one was still open. */
export async function takeSignUp(db: Db, { _id, email }: SignUpDocument, session: ClientSession): Promise<boolean> {
  const { deletedCount } = await signUps(db).deleteOne({ _id, ...open }, { session });
  await signUps(db).deleteMany({ email }, { session });
  return deletedCount === 1;
}
