import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/**
 * Runs `work` in a transaction: all of its writes happen, or none. The transaction may be retried, so `work` must only read and write through the
 * session.
 * @param contended names what many transactions may write at once, such as the queues of a business: those that have conflicted are retried one at a time.
 * Otherwise they would let each other fail, each time again.
 */
export async function transaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>, contended?: string): Promise<T> {
  let isFirst = true;
  let endTurn: (() => void) | undefined;
  const attempt = async (session: ClientSession): Promise<T> => {
    // Its snapshot is taken by its first read, and so after the turn of the one before.
    if (!isFirst && contended !== undefined) endTurn ??= await turnOf(contended);
    isFirst = false;
    return work(session);
  };
  try {
    return await client.withSession((session) =>
      session.withTransaction(() => attempt(session), {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
        maxCommitTimeMS: 10_000,
      }),
    );
  } finally {
    endTurn?.();
  }
}

/** The end of the last turn by what is contended. */
const lastTurns = new Map<string, Promise<void>>();

/** Waits for the turns of all that came before. @returns ends the own turn */
async function turnOf(key: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = lastTurns.get(key);
  lastTurns.set(key, promise);
  await before;
  return () => {
    if (lastTurns.get(key) === promise) lastTurns.delete(key);
    resolve();
  };
}

/**
 * Whether a write failed because of a unique index.
 * @param field a field of that index, if the collection has several unique indexes; not for bulk writes, whose errors do not name the index
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return false;
  return field === undefined || field in ((error['keyPattern'] as Record<string, unknown> | undefined) ?? {});
}
