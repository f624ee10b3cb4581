import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { usesQuota, type UsedQuota } from '../../preflight/promised-quota.ts';
import { keysFor, type Targeted } from '../../targets/target-keys.ts';
import type { PostDocument } from '../../posts/post.ts';

/** Not that of `posts/store`: the risks of a post, which lists of posts compute, depend on this. */
const posts = (db: Db) => db.collection<PostDocument>('posts');

/** The most posts that are read to find out whether a quota is full. A day with more is full. */
export const MOST = 1_000;

export async function createPromisedPostIndex(db: Db): Promise<void> {
  await posts(db).createIndex(
    { business_id: 1, target_keys: 1, scheduled_publish_time: 1, _id: 1 },
    { name: 'targets_by_time', partialFilterExpression: { scheduled_publish_time: { $exists: true } } },
  );
}

/** The times of the other posts of the business that use the quota of an account around a time: scheduled ones, and those that were published lately. */
export async function findPromisedTimes(
  db: Db,
  { _id, business_id, organization_id }: PostDocument,
  at: Date,
  used: UsedQuota,
): Promise<Date[]> {
  const {
    account,
    quota: { windowMs },
  } = used;
  const $gt = new Date(at.getTime() - windowMs);
  const $lt = new Date(at.getTime() + windowMs);
  const keys = keysFor({ integrationId: account._id, platform: undefined }, [account]);
  const waiting = posts(db)
    .find(
      { business_id, target_keys: { $in: keys }, scheduled_publish_time: { $gt, $lt }, _id: { $ne: _id } },
      { projection: { _id: 0, scheduled_publish_time: 1, platform_overrides: 1 }, hint: 'targets_by_time' },
    )
    .limit(MOST)
    .toArray();
  const published =
    $gt < now(organization_id)
      ? posts(db)
          .find(
            {
              business_id,
              deleted_at: { $exists: false },
              published_at: { $gt },
              target_keys: `account:${account._id}`,
              _id: { $ne: _id },
            },
            { projection: { _id: 0, published_at: 1, platform_overrides: 1 }, hint: 'by_published' },
          )
          .limit(MOST)
          .toArray()
      : [];
  const found = [...(await waiting), ...(await published)];
  return found
    .filter((other) => usesQuota(other, used))
    .map(({ scheduled_publish_time, published_at }) => scheduled_publish_time ?? published_at ?? at);
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
