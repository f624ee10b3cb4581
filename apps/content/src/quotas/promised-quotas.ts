import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { PostDocument } from '../posts/post.ts';
import { isPromised, quotasUsedBy, type UsedQuota } from '../preflight/promised-quota.ts';
import type { RiskSources } from '../preflight/risks-of.ts';
import type { GivenPlace } from '../queues/follow-queue.ts';
import { plannedTime } from '../queues/planned-time.ts';
import type { QueueDocument } from '../queues/queue.ts';
import { findQueuesOf } from '../queues/store/queues.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { listSharing } from '../targets/store/integrations.ts';
import { findQueuedTimes } from './queued-times.ts';
import { findAtRisk, findPromisedTimes } from './store/promised-posts.ts';

/** Where a post stands among those that use a quota: one that is placed anew is the last; those that are at risk come after all others, in the order in which that was noted. */
type Standing = 'last' | 'at_risk' | 'before';

/**
 * Notes the accounts whose quota is promised to posts that stand before this one. So of the posts of a full day only those are at risk that were scheduled last: all
 * others count for a post when it gets its time, its place in a queue or the account; later, a post that is not at risk becomes so only because of posts
 * before it in time.
 * @param before the stored post; undefined if it is new
 * @param place where the change puts it in its queue
 */
export async function withPromisedQuotas(
  db: Db,
  before: PostDocument | undefined,
  post: PostDocument,
  sources: RiskSources,
  place?: GivenPlace,
): Promise<PostDocument> {
  const noted = post.quota_promised ?? [];
  const had = before && !place && isAtSamePlace(before, post) ? usedBy(before, sources).map(({ account }) => account._id) : [];
  const standing = (id: string): Standing => (!had.includes(id) ? 'last' : noted.includes(id) ? 'at_risk' : 'before');
  const promised = await promisedOf(db, post, sources, usedBy(post, sources), standing, place);
  if (promised.length === noted.length && promised.every((id) => noted.includes(id) && had.includes(id))) return post;
  const { quota_promised: _noted, quota_promised_at: notedAt, ...rest } = post;
  if (promised.length === 0) return rest;
  const isStill = notedAt && promised.some((id) => standing(id) === 'at_risk');
  return { ...rest, quota_promised: promised, quota_promised_at: isStill ? notedAt : now(post.organization_id) };
}

/** Those of the accounts noted in a waiting post whose quota is still promised to others. Posts that note none cost nothing. */
export async function stillPromised(db: Db, post: PostDocument, sources: RiskSources): Promise<string[]> {
  const noted = post.quota_promised ?? [];
  if (noted.length === 0) return [];
  const used = usedBy(post, sources).filter(({ account }) => noted.includes(account._id));
  return promisedOf(db, post, sources, used, () => 'at_risk');
}

const isAtSamePlace = (a: PostDocument, b: PostDocument): boolean =>
  a.queue_id === b.queue_id && a.scheduled_publish_time?.getTime() === b.scheduled_publish_time?.getTime();

const usedBy = (post: PostDocument, { integrations, queues }: RiskSources): UsedQuota[] =>
  isWaiting(post) ? quotasUsedBy(withQueueTargets(post, queues.get(post.queue_id ?? '')), integrations) : [];

async function promisedOf(
  db: Db,
  post: PostDocument,
  { queues }: RiskSources,
  used: readonly UsedQuota[],
  standing: (accountId: string) => Standing,
  place?: GivenPlace,
): Promise<string[]> {
  const at = used.length > 0 ? await plannedTime(db, post, queues.get(post.queue_id ?? ''), place) : undefined;
  if (!at) return [];
  // The platform counts the posts of an account, whichever businesses of the organization have connected it.
  const sharing = await Promise.all(used.map(async (one) => ({ ...one, connections: await listSharing(db, one.account) })));
  const businessIds = new Set(sharing.flatMap(({ connections }) => connections.map(({ business_id }) => business_id)));
  const allQueues = [...(await findQueuesOf(db, [...businessIds])).values()];
  const found = await Promise.all(
    sharing.map(async ({ account, quota, connections }) => {
      const own = standing(account._id);
      const times = await Promise.all(connections.map((one) => otherTimes(db, post, at, { account: one, quota }, own, allQueues)));
      const counted = own === 'before' ? times.flat().filter((time) => time <= at) : times.flat();
      return isPromised(counted, at, quota) ? [account._id] : [];
    }),
  );
  return found.flat();
}

/** When other posts use the quota through this connection of the account. */
async function otherTimes(
  db: Db,
  post: PostDocument,
  at: Date,
  used: UsedQuota,
  standing: Standing,
  queues: readonly QueueDocument[],
): Promise<Date[]> {
  const { account } = used;
  const later = standing === 'last' ? [] : await findAtRisk(db, account, standing === 'at_risk' ? post.quota_promised_at : undefined);
  const exceptIds = [post._id, ...later];
  const ofBusiness = queues.filter(({ business_id }) => business_id === account.business_id);
  const [scheduled, queued] = await Promise.all([
    findPromisedTimes(db, at, used, exceptIds),
    findQueuedTimes(db, ofBusiness, at, used, new Set(exceptIds)),
  ]);
  return [...scheduled, ...queued];
}
