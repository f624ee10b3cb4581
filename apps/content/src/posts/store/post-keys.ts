import type { Db } from 'mongodb';
import { seriesKey } from '../../series/series-content.ts';
import { withKeys } from '../post-keys.ts';
import type { PostDocument } from '../post.ts';
import { createPostIndexes, posts } from './posts.ts';

const BATCH = 200;

/**
 * Derives the keys of posts that were stored by a version without them. A migrated post has `words`. Posts that change in the meantime are migrated in
 * another pass.
 */
export async function notePostKeys(db: Db): Promise<void> {
  await createPostIndexes(db);
  while ((await deriveMissingKeys(db)) > 0);
}

/** Derives the words again that a version stored which distinguished ß from ss. */
export async function foldWords(db: Db): Promise<void> {
  await posts(db).updateMany({ words: /ß/ }, { $unset: { words: '' } });
  await notePostKeys(db);
}

/** Adds the keys of their series to posts that were stored by a version without them. */
export async function noteSeriesKeys(db: Db): Promise<void> {
  const inSeries = [{ series_id: { $exists: true } }, { repeating_cron: { $exists: true } }, { is_followed: true as const }];
  const key = { $concat: [seriesKey(''), { $ifNull: ['$series_id', '$_id'] }] };
  await posts(db).updateMany({ $or: inSeries, deleted_at: { $exists: false } }, [
    { $set: { target_keys: { $setUnion: [{ $ifNull: ['$target_keys', []] }, [key]] } } },
  ]);
}

/** One pass over all posts. @returns how many posts had no keys */
async function deriveMissingKeys(db: Db): Promise<number> {
  let missing = 0;
  let last = '';
  for (;;) {
    const batch = await posts(db)
      .find({ _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const without = batch.filter(({ words }) => words === undefined);
    missing += without.length;
    if (without.length > 0) await posts(db).bulkWrite(without.map(keysUpdate), { ordered: false });
    if (batch.length < BATCH) return missing;
    last = batch.at(-1)?._id ?? '';
  }
}

/** An existing `media_ids` is right already. */
function keysUpdate(post: PostDocument) {
  const { words = [], target_keys, publish_status } = withKeys(post);
  const $set = { words, ...(target_keys && { target_keys }), ...(publish_status && { publish_status }) };
  return { updateOne: { filter: { _id: post._id, revision: post.revision }, update: { $set } } };
}
