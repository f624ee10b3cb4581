import { listPublishingRules, type PublishingRules } from '../businesses/store/businesses.ts';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitPublicationsRequested } from '../events.ts';
import { isPublishing, isTerminal } from '../posts/is-publishing.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostsById, findRunningPosts } from '../posts/store/posts.ts';
import { misfireRules } from '../misfires/misfire-rules.ts';
import { latenessOf } from '../misfires/misfire.ts';

/** One transaction holds the content of so many posts in memory. */
const MOST_TOGETHER = 25;

/**
 * Requests the running publications of some posts again, with the ids that they have: the publisher creates the deliveries that it does not have, and reports what became of
 * the others. The content of a post cannot change while it is being published.
 * @returns how many were requested, and after which post to continue; undefined at the end
 */
export async function requestAgain(context: Context, afterId: string): Promise<{ requested: number; nextAfterId: string | undefined }> {
  const { ids, nextAfterId } = await findRunningPosts(context.db, afterId);
  let requested = 0;
  for (let from = 0; from < ids.length; from += MOST_TOGETHER) {
    requested += await requestThese(context, ids.slice(from, from + MOST_TOGETHER));
  }
  return { requested, nextAfterId };
}

const requestThese = (context: Context, ids: readonly string[]): Promise<number> =>
  context.transact(async (session) => {
    const running = (await findPostsById(context.db, ids, session)).filter(isPublishing);
    const rulesOf = await listPublishingRules(context.db, [...new Set(running.map(({ business_id }) => business_id))], session);
    const publications = running.flatMap((post) => runningPublications(context, post, rulesOf(post.business_id)));
    await emitPublicationsRequested(context, session, publications);
    return publications.length;
  });

/** A post can have several: it may have been published early to some accounts. What has not begun by now may be too late. */
function runningPublications(context: Context, post: PostDocument, rules: PublishingRules) {
  const results = post.publish_results.filter(({ status }) => !isTerminal(status));
  return [...Map.groupBy(results, ({ publicationId }) => publicationId)].map(([id, ofPublication]) => {
    const dueAt = ofPublication[0]?.dueAt ?? post.updated_at;
    const { publishBefore } = latenessOf(dueAt, now(post.organization_id), misfireRules(context, rules), post.misfire_policy);
    const targets = ofPublication.map(({ deliveryId, integrationId, platform }) => ({ deliveryId, integrationId, platform }));
    // Those that have ended decide nothing any more.
    const isWhole = post.publish_results.every(({ publicationId, status }) => publicationId !== id || !isTerminal(status));
    const strategy = (isWhole && post.strategy) || 'PUBLISH_STRATEGY_INDEPENDENT';
    return { id, post, strategy, targets, dueAt, publishBefore, linkTracking: rules.link_tracking ?? undefined, flowId: `again-${id}` };
  });
}
