import type { ReplayResult } from '@fanfare/events';
import { currentTime } from '@fanfare/runtime';
import type { Db } from 'mongodb';

/** The last replay of a dead letter. Kafka cannot mark a record. */
export interface DeadLetterReplayDocument {
  /** The id of the dead letter. */
  _id: string;
  replayed_at: Date;
  result: ReplayResult;
  actor: string;
  reason: string;
}

/** Longer than Kafka keeps a dead letter, unless its retention is longer than a quarter. */
const KEPT_SECONDS = 90 * 24 * 3600;

const replays = (db: Db) => db.collection<DeadLetterReplayDocument>('dead_letter_replays');

export async function createDeadLetterReplayIndexes(db: Db): Promise<void> {
  await replays(db).createIndex({ replayed_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

export async function findReplays(db: Db, ids: readonly string[]): Promise<Map<string, DeadLetterReplayDocument>> {
  const found = await replays(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
  return new Map(found.map((one) => [one._id, one]));
}

export async function putReplays(
  db: Db,
  results: ReadonlyMap<string, ReplayResult>,
  by: Pick<DeadLetterReplayDocument, 'actor' | 'reason'>,
): Promise<void> {
  if (results.size === 0) return;
  const replayed_at = currentTime();
  await replays(db).bulkWrite(
    [...results].map(([_id, result]) => ({
      updateOne: { filter: { _id }, update: { $set: { ...by, replayed_at, result } }, upsert: true },
    })),
  );
}
