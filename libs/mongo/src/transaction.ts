import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/**
 * Runs `work` in a transaction: all of its writes happen, or none. The transaction may be retried, so `work` must only read and write through the
 * session.
 */
export async function transaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  return client.withSession((session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
      maxCommitTimeMS: 10_000,
    }),
  );
}

/**
 * Whether a write failed because of a unique index.
 * @param field a field of that index, if the collection has several unique indexes; not for bulk writes, whose errors do not name the index
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return false;
  return field === undefined || field in ((error['keyPattern'] as Record<string, unknown> | undefined) ?? {});
}
