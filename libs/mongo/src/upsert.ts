import type { Collection, Document, Filter, FindOneAndUpdateOptions, WithId } from 'mongodb';
import { isDuplicateKey } from './transaction.ts';

/** Each time, another process must have inserted the document, and a third one must have deleted it. */
const MOST_ATTEMPTS = 20;

/**
 * Changes the document that matches, or inserts one, outside of transactions. Of two concurrent inserts, one fails with a duplicate key and is repeated: it
 * finds the document of the other, or inserts its own if that was deleted meanwhile. MongoDB repeats it itself only if the filter is exactly the key of a
 * unique index that is not partial.
 * @returns the document after the change
 */
export async function upsert<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  pipeline: Document[],
  options: Pick<FindOneAndUpdateOptions, 'writeConcern'> = {},
): Promise<WithId<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const document = await collection.findOneAndUpdate(filter, pipeline, { ...options, upsert: true, returnDocument: 'after' });
      if (document) return document;
      throw new Error('An upsert returned no document.');
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
