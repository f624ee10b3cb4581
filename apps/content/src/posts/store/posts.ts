import type { PostStatus } from '@fanfare/contracts/content';
import { recordEntries } from '@fanfare/ledger';
import { isDuplicateKey, readerById } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import { withKeys } from '../post-keys.ts';
import { isPublishing } from '../is-publishing.ts';
import type { PostDocument } from '../post.ts';
import { recorded, type PostWrite } from '../timeline/recorded.ts';

const SCHEDULED: PostStatus = 'POST_STATUS_SCHEDULED';
const WAITING = { partialFilterExpression: { scheduled_publish_time: { $exists: true } } };
export const posts = (db: Db) => db.collection<PostDocument>('posts');

export async function createPostIndexes(db: Db): Promise<void> {
  await posts(db).createIndexes([
    // For lists: fields that are compared for equality first, then the order.
    { key: { business_id: 1, deleted_at: 1, created_at: -1, _id: -1 }, name: 'list' },
    { key: { business_id: 1, deleted_at: 1, status: 1, created_at: -1, _id: -1 }, name: 'list_status' },
    // For time windows of scheduled posts, whose order is not that of the times: in a narrow window MongoDB finds the times and sorts them, in a wide one
    // it picks the newest in order. Both read only index keys, and there is one for each waiting post.
    { key: { business_id: 1, organization_id: 1, scheduled_publish_time: 1, created_at: -1, _id: -1 }, name: 'window', ...WAITING },
    {
      key: { business_id: 1, organization_id: 1, created_at: -1, _id: -1, scheduled_publish_time: 1 },
      name: 'window_in_order',
      ...WAITING,
    },
    // For scheduled posts in the order of their times.
    { key: { business_id: 1, scheduled_publish_time: 1, _id: 1 }, name: 'by_scheduled', ...WAITING },
    {
      key: { business_id: 1, deleted_at: 1, published_at: 1, _id: 1 },
      name: 'by_published',
      partialFilterExpression: { published_at: { $exists: true } },
    },
    // For derived fields, which deleted posts do not have.
    {
      key: { business_id: 1, publish_status: 1, created_at: -1, _id: -1 },
      name: 'publish_status',
      partialFilterExpression: { publish_status: { $exists: true } },
    },
    { key: { business_id: 1, target_keys: 1, created_at: -1, _id: -1 }, name: 'targets' },
    { key: { business_id: 1, words: 1, created_at: -1, _id: -1 }, name: 'words' },
    { key: { next_due_at: 1, organization_id: 1 }, name: 'due', partialFilterExpression: { status: SCHEDULED } },
  ]);
}

/** Replaces the indexes of the first version, which did not contain `deleted_at`. Until then lists work, but slower. */
export async function replacePostIndexes(db: Db): Promise<void> {
  await createPostIndexes(db);
  const there = new Set((await posts(db).indexes()).map(({ name }) => name));
  for (const name of ['business_id_1_created_at_-1__id_-1', 'business_id_1_status_1_created_at_-1__id_-1']) {
    if (there.has(name)) await posts(db).dropIndex(name);
  }
}

/** Marks posts that were claimed by a version without `is_followed`, but not those that wait again: they may repeat only since that claim. */
export async function noteFollowed(db: Db): Promise<void> {
  const claimed = { repeating_cron: { $exists: true }, 'publication_ids.0': { $exists: true }, next_due_at: { $exists: false } };
  await posts(db).updateMany(claimed, { $set: { is_followed: true } });
}

/** Fails with a duplicate key if a post with one of the ids exists already; see `isDuplicatePost`. */
export async function insertPosts(db: Db, created: readonly NewRow[], session: ClientSession): Promise<void> {
  const written = created.map(({ post, cause }) => recorded(undefined, post, { cause }));
  const rows = written.map(({ post }) => withKeys(post));
  const [only] = rows;
  // For a single insert the error contains the index that rejected it.
  if (only && rows.length === 1) await posts(db).insertOne(only, { session });
  else await posts(db).insertMany(rows, { session });
  await recordEntries(
    db,
    written.map((one) => one.recorded),
    session,
  );
}

/** A new post, and who creates it. */
interface NewRow extends Pick<PostWrite, 'cause'> {
  readonly post: PostDocument;
}

/** Inserts posts, and leaves existing ones as they are, deleted or not. Returns those that it inserted. */
export async function insertPostsOnce(db: Db, created: readonly NewRow[], session: ClientSession): Promise<PostDocument[]> {
  if (created.length === 0) return [];
  const written = created.map(({ post, cause }) => recorded(undefined, post, { cause }));
  const inserts = written.map(({ post }) => {
    const { _id, ...rest } = withKeys(post);
    return { updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true } };
  });
  const { upsertedIds } = await posts(db).bulkWrite(inserts, { session });
  const fresh = written.filter((_, index) => index in upsertedIds);
  await recordEntries(
    db,
    fresh.map((one) => one.recorded),
    session,
  );
  return fresh.map(({ post }) => post);
}

/** Whether an insert failed because a post with this id exists already. */
export const isDuplicatePost = (error: unknown): boolean => isDuplicateKey(error, '_id');

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

/**
 * Fields that responses do not contain. Some are as long as the rest of the post, and decoding them takes time. A post that was read without them must
 * never be written.
 */
export const NOT_SHOWN = {
  words: 0,
  target_keys: 0,
  media_ids: 0,
  publish_status: 0,
  operation_ids: 0,
  publication_ids: 0,
  verdict: 0,
  series_time: 0,
  next_content: 0,
  created_by: 0,
  risks_told: 0,
  ledger: 0,
} as const;

const readShown = readerById(posts, NOT_SHOWN);

/** A post for a response; see `NOT_SHOWN`. */
export async function findShownPost(db: Db, scope: Scope, id: string): Promise<PostDocument | null> {
  const post = await readShown(db, id);
  return post && !post.deleted_at && isOf(scope, post) ? post : null;
}

/** Posts for responses; see `NOT_SHOWN`. */
export async function findShownPosts(db: Db, ids: readonly string[], session: ClientSession): Promise<Map<string, PostDocument>> {
  const found = await posts(db)
    .find({ _id: { $in: [...ids] } }, { projection: NOT_SHOWN, session })
    .toArray();
  return new Map(found.map((post) => [post._id, post]));
}

/** For operations that may be repeats: a repeat must find the post even if it was deleted since. */
export async function findPostEvenIfDeleted(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<PostDocument | null> {
  // MongoDB finds a document by its id alone without planning; the scope is checked here.
  const post = await posts(db).findOne({ _id: id }, session ? { session } : {});
  return post && isOf(scope, post) ? post : null;
}

const isOf = ({ organizationId, businessId }: Scope, post: PostDocument): boolean =>
  post.business_id === businessId && post.organization_id === organizationId;

/** The business of a post of this organization. */
export async function findPostBusinessId(db: Db, organizationId: string, id: string): Promise<string | undefined> {
  const post = await posts(db).findOne({ _id: id }, { projection: { organization_id: 1, business_id: 1, deleted_at: 1 } });
  return post?.organization_id === organizationId && !post.deleted_at ? post.business_id : undefined;
}

/** For events, which contain only the ids of posts. */
export async function findPostsById(db: Db, ids: readonly string[], session: ClientSession): Promise<PostDocument[]> {
  return posts(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
}

/** So many posts are looked at in one call. */
const MOST_LOOKED_AT = 5_000;

/**
 * Posts that are being published, in the order of their ids. Reads all posts, call by call: this is for operators who have restored a backup, and an index would cost each claim.
 * @returns some, and after which id to continue; undefined at the end
 */
export async function findRunningPosts(db: Db, afterId: string): Promise<{ ids: string[]; nextAfterId: string | undefined }> {
  const rows = await posts(db)
    .find({ _id: { $gt: afterId } }, { projection: { 'publish_results.status': 1 } })
    .sort({ _id: 1 })
    .limit(MOST_LOOKED_AT)
    .toArray();
  const ids = rows.filter(isPublishing).map(({ _id }) => _id);
  return { ids, nextAfterId: rows.length === MOST_LOOKED_AT ? rows.at(-1)?._id : undefined };
}

/** Posts of a business that wait for their time or in a queue, in the order of their ids. Those that were claimed meanwhile may be among them. */
export async function findWaitingPosts(db: Db, businessId: string, afterId: string, limit: number): Promise<string[]> {
  const rows = await posts(db)
    .find({ business_id: businessId, deleted_at: { $exists: false }, status: SCHEDULED, _id: { $gt: afterId } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Replaces a post if its revision is still the one that was read, with entries in its timeline. */
export const replacePost = (db: Db, before: PostDocument, after: PostDocument, session: ClientSession, write: PostWrite): Promise<void> =>
  replacePosts(db, [{ ...write, before, after }], session);

interface ChangedRow extends PostWrite {
  readonly before: PostDocument;
  readonly after: PostDocument;
}

/** Replaces posts if the revisions of all of them are still those that were read, with entries in their timelines. */
export async function replacePosts(db: Db, changed: readonly ChangedRow[], session: ClientSession): Promise<void> {
  if (changed.length === 0) return;
  const written = changed.map(({ before, after, ...write }) => ({ before, ...recorded(before, after, write) }));
  const updates = written.map(({ before, post }) => {
    const { _id, revision } = before;
    return { updateOne: { filter: { _id, revision }, update: differences(before, withKeys(post, before)) } };
  });
  const { matchedCount } = await posts(db).bulkWrite(updates, { session });
  if (matchedCount === changed.length) {
    await recordEntries(
      db,
      written.map((one) => one.recorded),
      session,
    );
    return;
  }
  const which = changed.map(({ before: { _id, revision } }) => `${_id} at revision ${revision}`);
  throw new Error(`Posts have changed since they were read: only ${matchedCount} of ${which.join(', ')} are unchanged.`);
}

/** The update that makes `after` of `before`. Most fields do not change and are not sent. */
function differences(before: PostDocument, after: PostDocument): { $set: Partial<PostDocument>; $unset?: Record<string, ''> } {
  const was = new Map(Object.entries(before));
  const is = new Map(Object.entries(after).filter(([, value]) => value !== undefined));
  const set = [...is].filter(([name, value]) => was.get(name) !== value);
  const unset = [...was.keys()].filter((name) => !is.has(name));
  return { $set: Object.fromEntries(set), ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }) };
}

/** Records an operation that changed nothing else. */
export async function rememberOperations(
  db: Db,
  { _id, revision, operation_ids = [] }: PostDocument,
  session: ClientSession,
): Promise<void> {
  await posts(db).updateOne({ _id, revision }, { $set: { operation_ids } }, { session });
}

/** The data of a due post that a claim needs. */
export type DuePost = Pick<PostDocument, '_id' | 'organization_id' | 'business_id' | 'next_due_at'> & {
  /** Its stored size. */
  readonly bytes: number;
};

/** Posts that are due by the database's clock, the longest due first. */
export async function findDuePosts(
  db: Db,
  except: { readonly organizations?: readonly string[]; readonly posts?: readonly string[] },
  limit: number,
): Promise<DuePost[]> {
  const { organizations = [], posts: ids = [] } = except;
  return posts(db)
    .find(
      {
        ...WAITS,
        ...(organizations.length > 0 && { organization_id: { $nin: [...organizations] } }),
        ...(ids.length > 0 && { _id: { $nin: [...ids] } }),
        $expr: { $lte: ['$next_due_at', '$$NOW'] },
      },
      { projection: { organization_id: 1, business_id: 1, next_due_at: 1, bytes: { $bsonSize: '$$ROOT' } } },
    )
    .sort({ next_due_at: 1 })
    .limit(limit)
    .map((post) => post as unknown as DuePost)
    .toArray();
}

/** The time of the next due post, even if it is in the past. */
export async function findNextDueAt(db: Db, exceptPosts: readonly string[] = []): Promise<Date | undefined> {
  const next = await posts(db)
    .find({ ...WAITS, ...(exceptPosts.length > 0 && { _id: { $nin: [...exceptPosts] } }) }, { projection: { next_due_at: 1 } })
    .sort({ next_due_at: 1 })
    .limit(1)
    .next();
  return next?.next_due_at;
}

/** Claimed posts have no `next_due_at`. The comparison with a date excludes them from the index range. */
const WAITS: Filter<PostDocument> = { status: SCHEDULED, next_due_at: { $gt: new Date(0) } };
