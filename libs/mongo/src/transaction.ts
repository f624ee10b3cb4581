import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/**
 * Runs `work` in one transaction: all of its writes happen, or none. MongoDB may ask for it to be run again, so `work` must do nothing but
 * read and write through the session.
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
 * Whether a write failed because a unique index already holds that value.
 * @param field one that the index is on, where a document has several; the error of a write of many documents does not tell it
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return false;
  return field === undefined || field in ((error['keyPattern'] as Record<string, unknown> | undefined) ?? {});
}
