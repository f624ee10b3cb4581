import type { ClientSession, Db } from 'mongodb';

interface SequenceDocument {
  /** The organization. */
  _id: string;
  /** The sequence of its newest event. */
  last: number;
}

const sequences = (db: Db) => db.collection<SequenceDocument>('sequences');

/**
 * Takes the next sequences of an organization. Transactions of the same organization conflict here, so that the order in which they commit is that of
 * their sequences: no reader ever sees an event before an earlier one.
 * @returns the first of them
 */
export async function takeSequences(db: Db, organizationId: string, count: number, session: ClientSession): Promise<number> {
  const after = await sequences(db).findOneAndUpdate(
    { _id: organizationId },
    { $inc: { last: count } },
    { session, upsert: true, returnDocument: 'after' },
  );
  if (!after) throw new Error('An upsert returned no document.');
  return after.last - count + 1;
}

/** The sequence of the newest event of each organization, as the majority has it; 0 without events. */
export async function lastSequences(db: Db, organizationIds: readonly string[]): Promise<Map<string, number>> {
  const found = await sequences(db)
    .find({ _id: { $in: [...organizationIds] } }, { readConcern: { level: 'majority' } })
    .toArray();
  const last = new Map(found.map((one) => [one._id, one.last]));
  return new Map(organizationIds.map((id) => [id, last.get(id) ?? 0]));
}
