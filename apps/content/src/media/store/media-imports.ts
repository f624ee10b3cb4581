import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

/**
 * Media that are fetched for a create or an edit of a post, written down before the first of them. It goes in the transaction that makes the post
 * have them. What is still here after that came to nothing: its media are deleted again, whatever became of the process that fetched them.
 */
export interface MediaImportDocument extends LeasedRow {
  // Its id is that of this attempt; the media's ids derive from it.
  operation_id: string;
  organization_id: string;
  business_id: string;
  media_ids: string[];
  created_at: Date;
  /** Whether the operation may still commit. */
  open: boolean;
  /** When its media are deleted; while a process deletes them, when its lease ends. */
  lapses_at: Date;
}

const imports = (db: Db) => db.collection<MediaImportDocument>('media_imports');

export const mediaImportRows = leasedRows<MediaImportDocument>({ of: imports, due: 'lapses_at' });

export async function createMediaImportIndexes(db: Db): Promise<void> {
  await imports(db).createIndex({ operation_id: 1 }, { unique: true, partialFilterExpression: { open: true } });
  await imports(db).createIndex({ lapses_at: 1 });
}

/**
 * Begins an attempt, or joins the one of the same operation that is under way: what that has fetched is not fetched again.
 * @param mediaIds of an attempt with that id
 */
export async function beginMediaImport(
  db: Db,
  { organizationId, businessId }: CallMetadata,
  operationId: string,
  lapseMs: number,
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
  const begin = () =>
    imports(db).findOneAndUpdate(
      { operation_id: operationId, open: true },
      // Who joins one that is about to be deleted is first, or finds it closed.
      [{ $replaceWith: { $mergeObjects: [fresh, '$$ROOT', { lapses_at: { $add: ['$$NOW', lapseMs] }, fence: raisedFence }] } }],
      { upsert: true, returnDocument: 'after' },
    );
  // Of two that begin it at once, one finds what the other began.
  const begun = await begin().catch((error: unknown) => (isDuplicateKey(error) ? begin() : Promise.reject(error as Error)));
  if (!begun) throw new Error('An upsert returned no document.');
  return begun;
}

/** The media are the post's. @throws Error when they have been given up: then the transaction must not commit */
export async function completeMediaImport(db: Db, id: string, session: ClientSession): Promise<void> {
  const { deletedCount } = await imports(db).deleteOne({ _id: id, open: true }, { session });
  if (deletedCount === 0) throw new Error(`The import ${id} has been given up.`);
}

/** From now on nothing can commit with it. @returns false when something did */
export async function abandonMediaImport(db: Db, id: string, lapseMs: number): Promise<boolean> {
  const { matchedCount } = await imports(db).updateOne({ _id: id, open: true }, [
    { $set: { open: false, lapses_at: { $add: ['$$NOW', lapseMs] }, fence: raisedFence } },
  ]);
  return matchedCount === 1;
}

/** Its time is over: from now on nothing can commit with it. @throws LeaseLost when something did, or the operation goes on after all */
export const closeMediaImport = (db: Db, row: MediaImportDocument): Promise<MediaImportDocument> =>
  mediaImportRows.write(db, { row, pipeline: [{ $set: { open: false } }] });
