import type { Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { isPromised, quotasUsedBy, type UsedQuota } from '../preflight/promised-quota.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { findQueuesOf } from '../queues/store/queues.ts';
import { findQueuedTimes } from './queued-times.ts';
import { findPromisedTimes } from './store/promised-posts.ts';

/**
 * Notes the accounts whose quota is promised to other posts. So that of the posts of a full day only those are at risk that were scheduled last, all others
 * count when a post is changed; in later checks, when nobody changes it, a post that was not at risk becomes so only because of posts before it.
 */
export async function withPromisedQuotas(
  db: Db,
  post: PostDocument,
  integrations: readonly IntegrationDocument[],
  { isEdited }: { readonly isEdited: boolean },
): Promise<PostDocument> {
  const noted = post.quota_promised ?? [];
  const used = isWaiting(post) ? quotasUsedBy(post, integrations) : [];
  const promised = await promisedOf(db, post, used, (id) => isEdited || noted.includes(id));
  if (promised.length === noted.length && promised.every((id) => noted.includes(id))) return post;
  const { quota_promised: _noted, ...rest } = post;
  return promised.length > 0 ? { ...rest, quota_promised: promised } : rest;
}

/** Those of the accounts noted in a waiting post whose quota is still promised to others. Posts that note none cost nothing. */
export async function stillPromised(db: Db, post: PostDocument, integrations: readonly IntegrationDocument[]): Promise<string[]> {
  const noted = post.quota_promised ?? [];
  if (noted.length === 0 || !isWaiting(post)) return [];
  const used = quotasUsedBy(post, integrations).filter(({ account }) => noted.includes(account._id));
  return promisedOf(db, post, used, () => true);
}

/** @param countsAll whether posts after this one count for the quota of the account too */
async function promisedOf(
  db: Db,
  post: PostDocument,
  used: readonly UsedQuota[],
  countsAll: (integrationId: string) => boolean,
): Promise<string[]> {
  const at = post.scheduled_publish_time;
  if (!at || used.length === 0) return [];
  const queues = await findQueuesOf(db, post.business_id);
  const found = await Promise.all(
    used.map(async (one) => {
      const [scheduled, queued] = await Promise.all([
        findPromisedTimes(db, post, at, one),
        findQueuedTimes(db, queues.values(), post, at, one),
      ]);
      const others = [...scheduled, ...queued];
      const counted = countsAll(one.account._id) ? others : others.filter((time) => time <= at);
      return isPromised(counted, at, one.quota) ? [one.account._id] : [];
    }),
  );
  return found.flat();
}
