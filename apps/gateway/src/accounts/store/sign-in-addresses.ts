import { currentMs } from '@fanfare/runtime';
import type { Db } from 'mongodb';

/** The addresses from which an account was signed in to. */
interface SignInAddressesDocument {
  /** The account's email address. */
  _id: string;
  /** Newest first, as hashes. */
  addresses: { hash: string; at: Date }[];
  expires_at: Date;
}

const KEPT = 5;
const KEPT_MS = 30 * 24 * 60 * 60_000;

const signInAddresses = (db: Db) => db.collection<SignInAddressesDocument>('sign_in_addresses');

export async function createSignInAddressIndexes(db: Db): Promise<void> {
  await signInAddresses(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

/** Whether the address is one of the last few, in the last 30 days. */
export async function isSignInAddress(db: Db, account: string, hash: string): Promise<boolean> {
  const since = new Date(currentMs() - KEPT_MS);
  return (await signInAddresses(db).countDocuments({ _id: account, addresses: { $elemMatch: { hash, at: { $gt: since } } } })) > 0;
}

export async function putSignInAddress(db: Db, account: string, hash: string): Promise<void> {
  const others = { $filter: { input: { $ifNull: ['$addresses', []] }, cond: { $ne: ['$$this.hash', { $literal: hash }] } } };
  const addresses = { $slice: [{ $concatArrays: [[{ hash: { $literal: hash }, at: '$$NOW' }], others] }, KEPT] };
  await signInAddresses(db).updateOne({ _id: account }, [{ $set: { addresses, expires_at: { $add: ['$$NOW', KEPT_MS] } } }], {
    upsert: true,
  });
}
