import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { upsert } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/**
 * The media that are fetched for a create or an edit of a post, recorded before the first one is fetched. The transaction that saves the post deletes the
 * row. The media of rows that stay are deleted, even if the process that fetched them has crashed.
 */
export interface MediaImportDocument extends LeasedRow {
  // The id is that of this attempt; the ids of the media derive from it.
  operation_id: string;
  organization_id: string;
  business_id: string;
  media_ids: string[];
  created_at: Date;
  /** Whether the operation may still commit. */
  open: boolean;
  /** How many requests of the operation use it at once; absent in rows of the previous version. Of a process that was killed, they stay counted. */
  users?: number;
  /** When its media are deleted. While a process deletes them, the end of its lease. */
  lapses_at: Date;
}

const imports = (db: Db) => db.collection<MediaImportDocument>('media_imports');

export const mediaImportRows = leasedRows<MediaImportDocument>({ of: imports, due: 'lapses_at' });

export async function createMediaImportIndexes(db: Db): Promise<void> {
  await imports(db).createIndex({ operation_id: 1 }, { unique: true, partialFilterExpression: { open: true } });
  await imports(db).createIndex({ lapses_at: 1 });
}

/**
 * Begins an attempt, or joins a running attempt of the same operation, so that media are not fetched again.
 * @param mediaIds returns the media ids of an attempt with this id
 */
export async function beginMediaImport(
  db: Db,
  { organizationId, businessId }: CallMetadata,
  operationId: string,
  expireAfterMs: number,
  mediaIds: (id: string) => string[],
): Promise<MediaImportDocument> {
  const _id = newId();
  const fresh = {
    _id,
    operation_id: operationId,
    organization_id: organizationId,
    business_id: businessId,
    media_ids: mediaIds(_id),
    created_at: '$$NOW',
    open: true,
  };
  return upsert(imports(db), { operation_id: operationId, open: true }, [
    // An operation that joins an attempt which is about to be deleted either extends it in time, or finds it closed.
    {
      $replaceWith: {
        $mergeObjects: [
          fresh,
          '$$ROOT',
          { lapses_at: { $add: ['$$NOW', expireAfterMs] }, fence: raisedFence, users: { $add: [{ $ifNull: ['$users', 0] }, 1] } },
        ],
      },
    },
  ]);
}

/** The media belong to the post from now on. @throws Error if the import has been given up: then the transaction must not commit */
export async function completeMediaImport(db: Db, id: string, session: ClientSession): Promise<void> {
  const { deletedCount } = await imports(db).deleteOne({ _id: id, open: true }, { session });
  if (deletedCount === 0) throw new Error(`The import ${id} has been given up.`);
}

/**
 * A request has failed. Unless others of its operation are still running, nothing can commit with the import from now on.
 * @returns whether that is so; false, too, if something has committed
 */
export async function abandonMediaImport(db: Db, id: string, expireAfterMs: number): Promise<boolean> {
  const after = await imports(db).findOneAndUpdate(
    { _id: id, open: true },
    [
      { $set: { users: { $subtract: [{ $ifNull: ['$users', 1] }, 1] }, fence: raisedFence } },
      { $set: { open: { $gt: ['$users', 0] } } },
      { $set: { lapses_at: { $cond: ['$open', '$lapses_at', { $add: ['$$NOW', expireAfterMs] }] } } },
    ],
    { returnDocument: 'after' },
  );
  return after?.open === false;
}

/** Closes an expired import: from now on nothing can commit with it. @throws LeaseLost if something has committed, or if the operation continues */
export const closeMediaImport = (db: Db, row: MediaImportDocument): Promise<MediaImportDocument> =>
  mediaImportRows.write(db, { row, pipeline: [{ $set: { open: false } }] });
