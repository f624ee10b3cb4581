import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import type { Db } from 'mongodb';

/** The canary's only row: one gateway at a time publishes its posts. All times are the database's. */
export interface CanaryDocument extends LeasedRow {
  /** When the next post is due; while a gateway publishes one, the end of its lease. */
  run_at: Date;
  /** When it was switched on for the first time. */
  created_at: Date;
  /** The post that is being published, and since when. Kept until it is deleted, also by the next gateway. */
  post?: { readonly id: string; readonly began_at: Date };
  last_success_at?: Date;
}

const ID = 'canary';
const canaries = (db: Db) => db.collection<CanaryDocument>('canaries');

export const canaryRows = leasedRows<CanaryDocument>({ of: canaries, due: 'run_at' });

/** Creates the row if it is missing. */
export async function ensureCanary(db: Db): Promise<void> {
  const missing = {
    run_at: { $ifNull: ['$run_at', '$$NOW'] },
    created_at: { $ifNull: ['$created_at', '$$NOW'] },
    fence: { $ifNull: ['$fence', 0] },
  };
  await canaries(db).updateOne({ _id: ID }, [{ $set: missing }], { upsert: true });
}

/** How long ago the last post was published, or the canary was switched on. */
export async function canaryAgeMs(db: Db): Promise<number | undefined> {
  const last = { $ifNull: ['$last_success_at', '$created_at'] };
  const [canary] = await canaries(db)
    .aggregate<{ age_ms: number }>([{ $match: { _id: ID } }, { $project: { age_ms: { $subtract: ['$$NOW', last] } } }])
    .toArray();
  return canary && Number(canary.age_ms);
}

/** @throws LeaseLost */
export const beginPost = (db: Db, row: CanaryDocument, id: string): Promise<CanaryDocument> =>
  canaryRows.write(db, { row, pipeline: [{ $set: { post: { id: { $literal: id }, began_at: '$$NOW' } } }] });

/** The post was published. @throws LeaseLost */
export const markSuccess = (db: Db, row: CanaryDocument): Promise<CanaryDocument> =>
  canaryRows.write(db, { row, pipeline: [{ $set: { last_success_at: '$$NOW' } }] });

/** The post is deleted. @throws LeaseLost */
export const endPost = (db: Db, row: CanaryDocument): Promise<CanaryDocument> =>
  canaryRows.write(db, { row, pipeline: [{ $unset: 'post' }] });
