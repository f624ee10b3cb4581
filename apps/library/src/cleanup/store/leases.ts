import type { Db } from 'mongodb';

/** Work that one replica does at a time. */
interface LeaseDocument {
  _id: string;
  holder: string;
  until: Date;
}

const leases = (db: Db) => db.collection<LeaseDocument>('leases');

/** Takes a lease, or lengthens the one that the holder has; returns false while somebody else has it. */
export async function takeLease(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const free = { _id: name, $or: [{ holder }, { $expr: { $lte: ['$until', '$$NOW'] } }] };
  const take = () => leases(db).updateOne(free, [{ $set: { holder, until: { $add: ['$$NOW', leaseMs] } } }]);
  if ((await take()).matchedCount === 1) return true;
  const never = { holder: '', until: new Date(0) };
  const { upsertedCount } = await leases(db).updateOne({ _id: name }, { $setOnInsert: never }, { upsert: true });
  return upsertedCount === 1 && (await take()).matchedCount === 1;
}

export async function giveLease(db: Db, name: string, holder: string): Promise<void> {
  await leases(db).updateOne({ _id: name, holder }, { $set: { until: new Date(0) } });
}
