import { grouped, onePer } from '@fanfare/runtime';
import type { Collection, Db, Filter } from 'mongodb';

const MAX_BATCH = 64;

/**
 * Reads current documents by id, outside of transactions. Requests that arrive during a read wait for it and are then read as one batch, which saves
 * round trips under load.
 * @param projection as in a find; default: whole documents
 */
export function readerById<T extends { _id: string }>(
  collectionOf: (db: Db) => Collection<T>,
  projection?: Readonly<Record<string, 0 | 1>>,
): (db: Db, id: string) => Promise<T | null> {
  const options = projection ? { projection } : {};
  const read = async (db: Db, ids: readonly string[]): Promise<T[]> => {
    const [only] = ids;
    // Faster: MongoDB needs no query planner for an equality on _id.
    if (ids.length === 1) return [await collectionOf(db).findOne<T>({ _id: only } as Filter<T>, options)].filter((one) => one !== null);
    return collectionOf(db)
      .find<T>({ _id: { $in: [...ids] } } as unknown as Filter<T>, options)
      .toArray();
  };
  const readers = onePer((db: Db) =>
    grouped<string, T | null>({
      most: MAX_BATCH,
      async work(ids) {
        const found = new Map((await read(db, [...new Set(ids)])).map((one) => [one._id, one]));
        return ids.map((id) => ({ status: 'fulfilled', value: found.get(id) ?? null }));
      },
    }),
  );
  return (db, id) => readers(db)(id);
}
