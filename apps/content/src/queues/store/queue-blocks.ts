import type { ClientSession, Db } from 'mongodb';

/**
 * A part of a queue: up to 128 posts in their order. The order of a queue is that of its blocks, and positions are counted, never stored. So every
 * change writes one or two blocks, and every read reads a few and the counts of the others, however long the queue is. Whoever changes blocks has
 * written the document of the queue in the same transaction.
 */
interface QueueBlock {
  _id: string;
  queue_id: string;
  /** Orders the blocks of a queue; may be negative and fractional. */
  order: number;
  /** The length of `post_ids`, so that an index has it. */
  count: number;
  post_ids: string[];
}

const MAX_POSTS = 128;
/** A block with fewer posts is joined with the next one, if they fit in one. */
const FEW_POSTS = MAX_POSTS / 4;

const blocks = (db: Db) => db.collection<QueueBlock>('queue_blocks');

export async function createQueueBlockIndexes(db: Db): Promise<void> {
  await blocks(db).createIndexes([
    { key: { queue_id: 1, order: 1, count: 1 }, name: 'counts' },
    { key: { post_ids: 1 }, name: 'posts' },
  ]);
}

/** The number of posts of a block, and how many come before it. */
interface Count {
  readonly order: number;
  readonly count: number;
  readonly before: number;
}

/** The posts of a queue by position, without reading their ids: a queue of 10,000 posts has about a hundred blocks. */
async function countsOf(db: Db, queueId: string, session?: ClientSession): Promise<Count[]> {
  const found = await blocks(db)
    .find({ queue_id: queueId }, { projection: { _id: 0, order: 1, count: 1 }, ...(session && { session }) })
    .sort({ order: 1 })
    .hint('counts')
    .toArray();
  let before = 0;
  return found.map(({ order, count }) => ({ order, count, before: (before += count) - count }));
}

/** A post in the order of its queue. */
export interface QueuePosition {
  readonly queueId: string;
  /** From 1. */
  readonly position: number;
}

/** The positions of those of the posts that are in a queue. */
export async function findPositions(db: Db, postIds: readonly string[], session?: ClientSession): Promise<Map<string, QueuePosition>> {
  const wanted = new Set(postIds);
  const found = await blocks(db)
    .find({ post_ids: { $in: [...wanted] } }, session ? { session } : {})
    .toArray();
  const positions = new Map<string, QueuePosition>();
  for (const [queueId, ofQueue] of Map.groupBy(found, ({ queue_id }) => queue_id)) {
    const counts = new Map((await countsOf(db, queueId, session)).map(({ order, before }) => [order, before]));
    for (const { order, post_ids } of ofQueue) {
      for (const [index, id] of post_ids.entries()) {
        if (wanted.has(id)) positions.set(id, { queueId, position: (counts.get(order) ?? 0) + index + 1 });
      }
    }
  }
  return positions;
}

/** The ids of the posts of a queue from a position on. */
export async function findPostIds(db: Db, queueId: string, from: number, limit: number, session?: ClientSession): Promise<string[]> {
  const counts = await countsOf(db, queueId, session);
  const shown = counts.filter(({ before, count }) => before + count >= from && before < from - 1 + limit);
  const [first] = shown;
  if (!first) return [];
  const found = await blocks(db)
    .find({ queue_id: queueId, order: { $gte: first.order, $lte: shown.at(-1)?.order ?? first.order } }, session ? { session } : {})
    .sort({ order: 1 })
    .toArray();
  const start = from - 1 - first.before;
  return found.flatMap(({ post_ids }) => post_ids).slice(start, start + limit);
}

/** The first posts of a queue, at most those of its first block. */
export async function findFirstPostIds(db: Db, queueId: string, limit: number, session?: ClientSession): Promise<string[]> {
  const first = await blocks(db).findOne({ queue_id: queueId }, { sort: { order: 1 }, ...(session && { session }) });
  return first?.post_ids.slice(0, limit) ?? [];
}

/**
 * Inserts a post that is in no queue.
 * @param position from 1; beyond the last one means the end
 * @param newId of a block, if one is needed
 */
export async function insertPostId(
  db: Db,
  queueId: string,
  postId: string,
  position: number,
  newId: string,
  session: ClientSession,
): Promise<void> {
  const counts = await countsOf(db, queueId, session);
  const insertBlock = (order: number, post_ids: string[]) =>
    blocks(db).insertOne({ _id: newId, queue_id: queueId, order, count: post_ids.length, post_ids }, { session });
  // The block before the position if there is room at its end, so that a queue that grows at its end has full blocks.
  const at = counts.findIndex(({ before, count }) => position <= before + count + 1);
  const chosen = counts[at] ?? counts.at(-1);
  if (!chosen) return void (await insertBlock(0, [postId]));
  const index = Math.min(position - 1 - chosen.before, chosen.count);
  if (chosen.count < MAX_POSTS) {
    const where = { queue_id: queueId, order: chosen.order };
    await blocks(db).updateOne(where, { $push: { post_ids: { $each: [postId], $position: index } }, $inc: { count: 1 } }, { session });
    return;
  }
  const next = counts[counts.indexOf(chosen) + 1];
  if (index === 0 && chosen === counts[0]) return void (await insertBlock(chosen.order - 1, [postId]));
  if (index === chosen.count && !next) return void (await insertBlock(chosen.order + 1, [postId]));
  const between = next ? (chosen.order + next.order) / 2 : chosen.order + 1;
  if (next && (between <= chosen.order || between >= next.order)) {
    await renumber(db, queueId, session);
    return insertPostId(db, queueId, postId, position, newId, session);
  }
  const full = await blocks(db).findOne({ queue_id: queueId, order: chosen.order }, { session });
  if (!full) throw new Error(`Queue ${queueId} has no block ${chosen.order}.`);
  const post_ids = full.post_ids.toSpliced(index, 0, postId);
  const half = post_ids.length >> 1;
  await blocks(db).updateOne({ _id: full._id }, { $set: { post_ids: post_ids.slice(0, half), count: half } }, { session });
  await insertBlock(between, post_ids.slice(half));
}

/** @returns whether the queue had the post */
export async function removePostId(db: Db, queueId: string, postId: string, session: ClientSession): Promise<boolean> {
  const after = await blocks(db).findOneAndUpdate(
    { post_ids: postId, queue_id: queueId },
    { $pull: { post_ids: postId }, $inc: { count: -1 } },
    { session, returnDocument: 'after' },
  );
  if (!after) return false;
  if (after.count === 0) await blocks(db).deleteOne({ _id: after._id }, { session });
  else if (after.count < FEW_POSTS) await joinWithNext(db, after, session);
  return true;
}

/** Removes the first posts of the first block. */
export async function removeFirstPostIds(db: Db, queueId: string, postIds: readonly string[], session: ClientSession): Promise<void> {
  const after = await blocks(db).findOneAndUpdate(
    { post_ids: postIds[0] ?? '', queue_id: queueId },
    { $pullAll: { post_ids: [...postIds] }, $inc: { count: -postIds.length } },
    { session, returnDocument: 'after' },
  );
  if (!after || after.count !== after.post_ids.length)
    throw new Error(`The first block of queue ${queueId} does not have all of these posts.`);
  if (after.count === 0) await blocks(db).deleteOne({ _id: after._id }, { session });
}

/**
 * Puts posts that are in no queue at the end, at most as many as a block has.
 * @param newId of a block, if one is needed
 */
export async function appendPostIds(
  db: Db,
  queueId: string,
  postIds: readonly string[],
  newId: string,
  session: ClientSession,
): Promise<void> {
  const last = await blocks(db).findOne({ queue_id: queueId }, { session, sort: { order: -1 } });
  const count = postIds.length;
  if (last && last.count + count <= MAX_POSTS) {
    await blocks(db).updateOne({ _id: last._id }, { $push: { post_ids: { $each: [...postIds] } }, $inc: { count } }, { session });
    return;
  }
  const order = last ? last.order + 1 : 0;
  await blocks(db).insertOne({ _id: newId, queue_id: queueId, order, count, post_ids: [...postIds] }, { session });
}

async function joinWithNext(db: Db, { _id, queue_id, order, count, post_ids }: QueueBlock, session: ClientSession): Promise<void> {
  const next = await blocks(db).findOne({ queue_id, order: { $gt: order } }, { session, sort: { order: 1 } });
  if (!next || next.count > MAX_POSTS / 2) return;
  await blocks(db).updateOne({ _id }, { $set: { post_ids: [...post_ids, ...next.post_ids], count: count + next.count } }, { session });
  await blocks(db).deleteOne({ _id: next._id }, { session });
}

/** Inserting at one place again and again halves the distance of two blocks, until there is no number between them. */
async function renumber(db: Db, queueId: string, session: ClientSession): Promise<void> {
  const found = await blocks(db)
    .find({ queue_id: queueId }, { session, projection: { _id: 1 } })
    .sort({ order: 1 })
    .toArray();
  const updates = found.map(({ _id }, order) => ({ updateOne: { filter: { _id }, update: { $set: { order } } } }));
  await blocks(db).bulkWrite(updates, { session });
}
