import type { Db } from 'mongodb';
import { withKeys } from '../post-keys.ts';
import type { PostDocument } from '../post.ts';
import { createPostIndexes, posts } from './posts.ts';

const BATCH = 200;

/**
 * Derives what posts are found by, for those of a version that did not. A post has words when it is done. What somebody changes meanwhile is
 * taken up in another pass.
 */
export async function notePostKeys(db: Db): Promise<void> {
  await createPostIndexes(db);
  while ((await passOver(db)) > 0);
}

/** Words of a version that told ß from ss. */
export async function foldWords(db: Db): Promise<void> {
  await posts(db).updateMany({ words: /ß/ }, { $unset: { words: '' } });
  await notePostKeys(db);
}

/** @returns how many posts were without them */
async function passOver(db: Db): Promise<number> {
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

/** A `media_ids` that is there stays right. */
function keysUpdate(post: PostDocument) {
  const { words = [], target_keys, publish_status } = withKeys(post);
  const $set = { words, ...(target_keys && { target_keys }), ...(publish_status && { publish_status }) };
  return { updateOne: { filter: { _id: post._id, revision: post.revision }, update: { $set } } };
}
