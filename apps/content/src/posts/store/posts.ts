import type { PostStatus } from '@fanfare/contracts/content';
import { isDuplicateKey, readerById } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import { withKeys } from '../post-keys.ts';
import type { PostDocument } from '../post.ts';

const SCHEDULED: PostStatus = 'POST_STATUS_SCHEDULED';
const WAITING = { partialFilterExpression: { scheduled_publish_time: { $exists: true } } };
export const posts = (db: Db) => db.collection<PostDocument>('posts');

export async function createPostIndexes(db: Db): Promise<void> {
  await posts(db).createIndexes([
    // Of lists: what is equal first, then their order.
    { key: { business_id: 1, deleted_at: 1, created_at: -1, _id: -1 }, name: 'list' },
    { key: { business_id: 1, deleted_at: 1, status: 1, created_at: -1, _id: -1 }, name: 'list_status' },
    // Of windows of publish times, which have another order than lists: a narrow one is found by its times and then sorted, of a wide one the
    // newest are picked out as they come. Both are done on keys alone, of which there are as many as posts that wait.
    { key: { business_id: 1, organization_id: 1, scheduled_publish_time: 1, created_at: -1, _id: -1 }, name: 'window', ...WAITING },
    {
      key: { business_id: 1, organization_id: 1, created_at: -1, _id: -1, scheduled_publish_time: 1 },
      name: 'window_in_order',
      ...WAITING,
    },
    // Of times in their own order.
    { key: { business_id: 1, scheduled_publish_time: 1, _id: 1 }, name: 'by_scheduled', ...WAITING },
    {
      key: { business_id: 1, deleted_at: 1, published_at: 1, _id: 1 },
      name: 'by_published',
      partialFilterExpression: { published_at: { $exists: true } },
    },
    // Of what is derived, which deleted posts do not have.
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

/** Those of the first version were without `deleted_at`; it goes on without them, only slower. */
export async function replacePostIndexes(db: Db): Promise<void> {
  await createPostIndexes(db);
  const there = new Set((await posts(db).indexes()).map(({ name }) => name));
  for (const name of ['business_id_1_created_at_-1__id_-1', 'business_id_1_status_1_created_at_-1__id_-1']) {
    if (there.has(name)) await posts(db).dropIndex(name);
  }
}

/** Posts that were claimed by a version that did not note it. Those that wait again are left out: they may repeat since after that claim only. */
export async function noteFollowed(db: Db): Promise<void> {
  const claimed = { repeating_cron: { $exists: true }, 'publication_ids.0': { $exists: true }, next_due_at: { $exists: false } };
  await posts(db).updateMany(claimed, { $set: { is_followed: true } });
}

/** Fails with a duplicate key when a post with one of the ids is there already; see `isPostThere`. */
export async function insertPosts(db: Db, documents: readonly PostDocument[], session: ClientSession): Promise<void> {
  const rows = documents.map((document) => withKeys(document));
  const [only] = rows;
  // Of one alone the error tells which index refused it.
  if (only && rows.length === 1) await posts(db).insertOne(only, { session });
  else await posts(db).insertMany(rows, { session });
}

/** Inserts posts, and leaves those as they are that are there already, deleted or not. Returns those that were not. */
export async function insertPostsOnce(db: Db, documents: readonly PostDocument[], session: ClientSession): Promise<PostDocument[]> {
  if (documents.length === 0) return [];
  const inserts = documents.map((document) => {
    const { _id, ...rest } = withKeys(document);
    return { updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true } };
  });
  const { upsertedIds } = await posts(db).bulkWrite(inserts, { session });
  return documents.filter((_, index) => index in upsertedIds);
}

/** Whether inserting failed because a post with that id is there already. */
export const isPostThere = (error: unknown): boolean => isDuplicateKey(error, '_id');

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

/**
 * What nobody is shown of a post: some of it is as long as the rest, and every member that is read takes time. A post that was read without it must not be
 * written.
 */
export const NOT_SHOWN = {
  words: 0,
  target_keys: 0,
  media_ids: 0,
  publish_status: 0,
  operation_ids: 0,
  publication_ids: 0,
  verdict: 0,
  is_followed: 0,
  series_id: 0,
  series_time: 0,
  created_by: 0,
} as const;

const readShown = readerById(posts, NOT_SHOWN);

/** A post for somebody to look at; see `NOT_SHOWN`. */
export async function findShownPost(db: Db, scope: Scope, id: string): Promise<PostDocument | null> {
  const post = await readShown(db, id);
  return post && !post.deleted_at && isOf(scope, post) ? post : null;
}

/** For what may be a repeat: that it was deleted since does not undo what was done before. */
export async function findPostEvenIfDeleted(db: Db, scope: Scope, id: string, session?: ClientSession): Promise<PostDocument | null> {
  // By the id alone, which MongoDB answers without a plan; whose it is, is looked at here.
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

/** For events, which name the posts and nothing else. */
export async function findPostsById(db: Db, ids: readonly string[], session: ClientSession): Promise<PostDocument[]> {
  return posts(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
}

/** Replaces a post, if it is still the one that was read: its revision decides. */
export const replacePost = (db: Db, before: PostDocument, after: PostDocument, session: ClientSession): Promise<void> =>
  replacePosts(db, [{ before, after }], session);

/** Replaces posts, if all of them are still the ones that were read. */
export async function replacePosts(
  db: Db,
  changed: readonly { readonly before: PostDocument; readonly after: PostDocument }[],
  session: ClientSession,
): Promise<void> {
  if (changed.length === 0) return;
  const updates = changed.map(({ before, after }) => {
    const { _id, revision } = before;
    return { updateOne: { filter: { _id, revision }, update: differences(before, withKeys(after, before)) } };
  });
  const { matchedCount } = await posts(db).bulkWrite(updates, { session });
  if (matchedCount === changed.length) return;
  const which = changed.map(({ before: { _id, revision } }) => `${_id} at revision ${revision}`);
  throw new Error(`Posts have changed since they were read: only ${matchedCount} of ${which.join(', ')} are unchanged.`);
}

/** The update that makes one of the other. Most of a post stays what it was, and is not sent again. */
function differences(before: PostDocument, after: PostDocument): { $set: Partial<PostDocument>; $unset?: Record<string, ''> } {
  const was = new Map(Object.entries(before));
  const is = new Map(Object.entries(after).filter(([, value]) => value !== undefined));
  const set = [...is].filter(([name, value]) => was.get(name) !== value);
  const unset = [...was.keys()].filter((name) => !is.has(name));
  return { $set: Object.fromEntries(set), ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }) };
}

/** Notes an operation that found nothing to change. */
export async function rememberOperations(
  db: Db,
  { _id, revision, operation_ids = [] }: PostDocument,
  session: ClientSession,
): Promise<void> {
  await posts(db).updateOne({ _id, revision }, { $set: { operation_ids } }, { session });
}

/** What a claim needs to know of a post whose time has come. */
export type DuePost = Pick<PostDocument, '_id' | 'organization_id' | 'business_id' | 'next_due_at'> & {
  /** How large it is stored. */
  readonly bytes: number;
};

/** Posts whose time has come by the database's clock, the longest due first. */
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

/** When the next post is due, whether that time has come or not. */
export async function findNextDueAt(db: Db, exceptPosts: readonly string[] = []): Promise<Date | undefined> {
  const next = await posts(db)
    .find({ ...WAITS, ...(exceptPosts.length > 0 && { _id: { $nin: [...exceptPosts] } }) }, { projection: { next_due_at: 1 } })
    .sort({ next_due_at: 1 })
    .limit(1)
    .next();
  return next?.next_due_at;
}

/** Claimed posts have no `next_due_at`; comparing with a date leaves them out of the index range. */
const WAITS: Filter<PostDocument> = { status: SCHEDULED, next_due_at: { $gt: new Date(0) } };
