import type { Db } from 'mongodb';

/** Collections in which a deleted document stays as a mark, so that repeated operations get the same response. */
export type Marked = 'media' | 'nodes';

interface MarkedDocument {
  _id: string;
  deleted?: boolean;
  updated_at: Date;
}

export async function createMediaMarkIndex(db: Db): Promise<void> {
  await db.collection('media').createIndex({ updated_at: 1 }, { name: 'deleted', partialFilterExpression: { deleted: true } });
}

/** Deletes expired marks. Returns how many. */
export async function removeDeletionMarks(db: Db, collection: Marked, keptForMs: number, limit: number): Promise<number> {
  const marks = db.collection<MarkedDocument>(collection);
  const isOver = { $expr: { $lte: ['$updated_at', { $subtract: ['$$NOW', keptForMs] }] } };
  // Reads only the oldest marks, by the index. A filter by time would scan marks that are not due.
  const over = await marks
    .aggregate<{ _id: string }>([
      { $match: { deleted: true } },
      { $sort: { updated_at: 1 } },
      { $limit: limit },
      { $match: isOver },
      { $project: { _id: 1 } },
    ])
    .toArray();
  const { deletedCount } = await marks.deleteMany({ _id: { $in: over.map(({ _id }) => _id) }, deleted: true });
  return deletedCount;
}
