import { now } from '@fanfare/runtime';
import type { Condition, Db, Document, FindCursor, SortDirection } from 'mongodb';
import { usesQuota, type UsedQuota } from '../../preflight/promised-quota.ts';
import { keysFor, type Targeted } from '../../targets/target-keys.ts';
import type { PostDocument } from '../../posts/post.ts';
import type { IntegrationDocument } from '../../targets/integration.ts';

/** Not that of `posts/store`: the risks of a post, which lists of posts compute, depend on this. */
const posts = (db: Db) => db.collection<PostDocument>('posts');

/** The most posts that are read to find out whether a quota is full. */
export const MOST = 1_000;

export async function createPromisedPostIndex(db: Db): Promise<void> {
  await posts(db).createIndex(
    { business_id: 1, target_keys: 1, scheduled_publish_time: 1, _id: 1 },
    { name: 'targets_by_time', partialFilterExpression: { scheduled_publish_time: { $exists: true } } },
  );
}

/** For posts that note a quota that is promised to others. */
export async function createAtRiskIndex(db: Db): Promise<void> {
  await posts(db).createIndex(
    { business_id: 1, quota_promised: 1, quota_promised_at: 1 },
    { name: 'quota_promised', partialFilterExpression: { quota_promised: { $exists: true } } },
  );
}

/**
 * The posts that note that the quota of an account is promised to others.
 * @param since only those that have noted it after this time; absent: all
 */
export async function findAtRisk(db: Db, { _id, business_id }: IntegrationDocument, since?: Date): Promise<string[]> {
  const found = await posts(db)
    .find(
      { business_id, quota_promised: _id, ...(since && { quota_promised_at: { $gt: since } }) },
      { projection: { _id: 1 }, hint: 'quota_promised' },
    )
    .limit(MOST)
    .toArray();
  return found.map((post) => post._id);
}

/**
 * The times of the posts of its business that use the quota of an account around a time: scheduled ones, and those that were published lately. Of each, only the nearest before
 * it and the nearest after it, as many as the quota allows: if any of them fill it, these do. Those after it are not read if the others fill it.
 */
export async function findPromisedTimes(db: Db, at: Date, used: UsedQuota, exceptIds: readonly string[]): Promise<Date[]> {
  const { account, quota } = used;
  const { business_id, organization_id } = account;
  const { windowMs } = quota;
  const $gt = new Date(at.getTime() - windowMs);
  const $lt = new Date(at.getTime() + windowMs);
  const keys = keysFor({ integrationId: account._id, platform: undefined }, [account]);
  const others = { business_id, _id: { $nin: [...exceptIds] } };
  const scheduled = (scheduled_publish_time: Condition<Date>, order: SortDirection) =>
    nearest(used, 'scheduled_publish_time', (projection) =>
      posts(db)
        .find({ ...others, target_keys: { $in: keys }, scheduled_publish_time }, { projection, hint: 'targets_by_time' })
        .sort({ scheduled_publish_time: order }),
    );
  const published = () =>
    nearest(used, 'published_at', (projection) =>
      posts(db)
        .find(
          { ...others, deleted_at: { $exists: false }, published_at: { $gt }, target_keys: `account:${account._id}` },
          { projection, hint: 'by_published' },
        )
        .sort({ published_at: -1 }),
    );
  const before = (await Promise.all([scheduled({ $gt, $lte: at }, -1), $gt < now(organization_id) ? published() : []])).flat();
  return before.length < quota.limit ? [...before, ...(await scheduled({ $gt: at, $lt }, 1))] : before;
}

/** The times of the first posts that use the quota, as many as it allows. */
async function nearest(
  used: UsedQuota,
  time: 'scheduled_publish_time' | 'published_at',
  find: (projection: Document) => FindCursor<PostDocument>,
): Promise<Date[]> {
  const { limit, isUsedBy } = used.quota;
  // What decides whether a post uses the quota is read only if some do not: without it, MongoDB reads no documents, only the index.
  const cursor = find({ _id: 0, [time]: 1, ...(isUsedBy && { platform_overrides: 1 }) })
    .limit(isUsedBy ? MOST : limit)
    .batchSize(limit + 1);
  const times: Date[] = [];
  for await (const post of cursor) {
    const at = post[time];
    if (at && usesQuota(post, used)) times.push(at);
    if (times.length === limit) break;
  }
  return times;
}

/** What decides whether posts of a queue use a quota. */
export async function findQueuedPosts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Targeted & Pick<PostDocument, 'platform_overrides'>>> {
  const projection = { platform_overrides: 1, restrict_publish_to: 1, restrict_publish_to_integration_ids: 1 };
  const found = await posts(db)
    .find({ _id: { $in: [...ids] } }, { projection })
    .toArray();
  return new Map(found.map((post) => [post._id, post]));
}
