import type { PostDocument } from '../posts/post.ts';
import type { IntegrationDocument } from './integration.ts';
import { resolveTargets, restrictionOf, type Target } from './targets.ts';

/** Whether a post that waits was sent to this account ahead of its time: then that time does not concern the account any more. */
export const wasPublishedEarly = (post: PostDocument, { integrationId }: Pick<Target, 'integrationId'>): boolean =>
  post.early_integration_ids?.includes(integrationId) ?? false;

/**
 * Whether a post that waits goes on waiting when some of its accounts are sent to now: others are left for its time. A platform that has no
 * account yet is among those: it may get one until then.
 * @param asked what the call names, connected or not
 */
export function leavesOtherTargets(post: PostDocument, integrations: readonly IntegrationDocument[], asked: readonly Target[]): boolean {
  if (post.next_due_at === undefined) return false;
  const { targets, missing } = resolveTargets(restrictionOf(post), integrations, (target) => wasPublishedEarly(post, target));
  const isAsked = (one: Target) =>
    asked.some(({ integrationId, platform }) => integrationId === one.integrationId && (integrationId !== '' || platform === one.platform));
  return [...targets, ...missing].some((one) => !isAsked(one));
}
