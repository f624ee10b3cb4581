import type {
  MetadataEntry,
  PlatformOverride,
  PostMedia,
  PostStatus,
  PublishResult,
  PublishStatus,
  Risk,
} from '@fanfare/contracts/content';
import { isDuplicateKey, readerById } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import { withKeys } from '../post-keys.ts';

/** What a post is found by, beside its own fields: derived from it with every write; see `withKeys`. */
export interface PostKeys {
  /** All that it names, overrides' and cover too; present while there are some and the post may still change. */
  media_ids?: string[];
  /** How publishing it went, in all; absent when it was never sent, and of a deleted one. */
  publish_status?: PublishStatus;
  /** Where it was sent, or else is to go; absent of a deleted one. */
  target_keys?: string[];
  /** Words of its texts; absent in rows of older versions until the migration has come to them. */
  words?: string[];
}

/** How publishing goes on one target, with what only we need to know. */
export interface ResultDocument extends Omit<PublishResult, 'warnings'> {
  /** Absent in rows of older versions. */
  warnings?: string[];
  /** The newest revision of the delivery that was taken in. */
  revision: number;
  /** When the publication was due; the lag counts from here. */
  dueAt: Date;
}

export interface PostDocument extends PostKeys {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
  caption: string;
  status: PostStatus;
  /** The review verdict, which the post goes back to when it is no longer scheduled or when every target failed. */
  verdict: PostStatus;
  media: PostMedia[];
  design_id?: string;
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  link?: string;
  restrict_publish_to: string[];
  restrict_publish_to_integration_ids: string[];
  /** Present while, and only while, its status is SCHEDULED. */
  scheduled_publish_time?: Date;
  /** Present from the moment it is scheduled until it is claimed. */
  next_due_at?: Date;
  /** Accounts that it was sent to ahead of its time; present while it waits, if there are some. */
  early_integration_ids?: string[];
  published_at?: Date;
  /** Pairs, because any string may be a key: `$a`, `a.b` and the empty one too. */
  metadata: MetadataEntry[];
  platform_overrides: PlatformOverride[];
  publish_results: ResultDocument[];
  /** Why it could not be sent at all when its time had come, where no result says so; until it is claimed again. */
  last_failure?: { error_type: string; detail: string; at: Date };
  /** Publications of this post, newest last: a repeat of a publish call finds itself here. */
  publication_ids: string[];
  repeating_cron?: string;
  /** In which `repeating_cron` is meant; absent: UTC. */
  repeating_timezone?: string;
  /** The first post of its series; absent on that one. */
  series_id?: string;
  /** When it comes in its series, wherever it was moved to since; absent on the first. */
  series_time?: Date;
  /** Present once it was claimed while it repeated: what follows it was created then, and is not created again, whatever became of it. */
  is_followed?: true;
  review_note?: string;
  /** Why publishing it would fail, as far as it cannot be found out anew; shown while it is scheduled. */
  at_risk?: Pick<Risk, 'code' | 'detail' | 'mediaId'>[];
  /** Grows when what the library says of its media changes, which is no change of the post. */
  media_revision?: number;
  /** Who created it, or the first one of its series; absent in rows of older versions. */
  created_by?: string;
  /** Operations that changed it, newest last; absent until there is one. */
  operation_ids?: string[];
  /** Nothing finds it any more, but repeats of what was asked before. */
  deleted_at?: Date;
}

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

/** Inserts posts, and leaves those as they are that are there already, deleted or not. Answers with those that were not. */
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
  throw new Error(`Posts are not what they were when they were read: ${matchedCount} of ${which.join(', ')}.`);
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
