import { grouped, onePer } from '@fanfare/runtime';
import type { Collection, Db, Filter } from 'mongodb';

const MOST_TOGETHER = 64;

/**
 * Reads documents by their ids, as they are now, outside of transactions. Those that are asked for while others are being read are read together: under
 * load one round trip serves many.
 * @param projection as of a find; without it documents are whole
 */
export function readerById<T extends { _id: string }>(
  collectionOf: (db: Db) => Collection<T>,
  projection?: Readonly<Record<string, 0 | 1>>,
): (db: Db, id: string) => Promise<T | null> {
  const options = projection ? { projection } : {};
  const read = async (db: Db, ids: readonly string[]): Promise<T[]> => {
    const [only] = ids;
    // One is found without a plan.
    if (ids.length === 1) return [await collectionOf(db).findOne<T>({ _id: only } as Filter<T>, options)].filter((one) => one !== null);
    return collectionOf(db)
      .find<T>({ _id: { $in: [...ids] } } as unknown as Filter<T>, options)
      .toArray();
  };
  const readers = onePer((db: Db) =>
    grouped<string, T | null>({
      most: MOST_TOGETHER,
      async work(ids) {
        const found = new Map((await read(db, [...new Set(ids)])).map((one) => [one._id, one]));
        return ids.map((id) => ({ status: 'fulfilled', value: found.get(id) ?? null }));
      },
    }),
  );
  return (db, id) => readers(db)(id);
}
