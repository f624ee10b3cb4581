import type { PostDocument } from '../posts/post.ts';
import { isWaiting } from './is-waiting.ts';
import type { IntegrationDocument } from './integration.ts';
import { resolveTargets, restrictionOf, type Target } from './targets.ts';

/** Whether a scheduled post was already sent to this account, before its time. Then it is not sent to the account again at its time. */
export const wasPublishedEarly = (post: PostDocument, { integrationId }: Pick<Target, 'integrationId'>): boolean =>
  post.early_integration_ids?.includes(integrationId) ?? false;

/**
 * Whether a scheduled post stays scheduled when it is sent to some of its accounts now, because other targets are left. A platform without accounts is such
 * a target, because an account may be connected before the time.
 * @param requested the targets that the call names, connected or not
 */
export function leavesOtherTargets(
  post: PostDocument,
  integrations: readonly IntegrationDocument[],
  requested: readonly Target[],
): boolean {
  if (!isWaiting(post)) return false;
  const { targets, missing } = resolveTargets(restrictionOf(post), integrations, (target) => wasPublishedEarly(post, target));
  const isRequested = (one: Target) =>
    requested.some(
      ({ integrationId, platform }) => integrationId === one.integrationId && (integrationId !== '' || platform === one.platform),
    );
  return [...targets, ...missing].some((one) => !isRequested(one));
}
