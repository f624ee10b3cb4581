import { optionsOver, platformRules, type PostQuota } from '@fanfare/connectors/preflight';
import type { PostDocument } from '../posts/post.ts';
import { wasPublishedEarly } from '../targets/early.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { resolveTargets, restrictionOf } from '../targets/targets.ts';
import { optionsFor } from './platform-content.ts';

/** An account that a post goes to, and the quota that it uses there. */
export interface UsedQuota {
  readonly account: IntegrationDocument;
  readonly quota: PostQuota;
}

/** The quotas of accounts that a waiting post will use. */
export function quotasUsedBy(post: PostDocument, integrations: readonly IntegrationDocument[]): UsedQuota[] {
  const { targets } = resolveTargets(restrictionOf(post), integrations, (target) => wasPublishedEarly(post, target));
  return targets.flatMap(({ integrationId, platform }) => {
    const account = integrations.find(({ _id }) => _id === integrationId);
    const quota = quotaOf(platform);
    if (!account || !quota) return [];
    return usesQuota(post, { account, quota }) ? [{ account, quota }] : [];
  });
}

/** Whether a post to this account counts for the quota. */
export const usesQuota = ({ platform_overrides }: Pick<PostDocument, 'platform_overrides'>, { account, quota }: UsedQuota): boolean =>
  quota.isUsedBy?.(optionsOver(account.settings ?? {}, optionsFor(platform_overrides, account.platform, account._id))) ?? true;

/** The quota of posts that an account of this platform has. */
export const quotaOf = (platform: string): PostQuota | undefined =>
  Object.hasOwn(platformRules, platform) ? platformRules[platform as keyof typeof platformRules]?.postQuota : undefined;

/** Whether other posts fill the quota: in a window that contains the time there are as many of them as the quota allows. */
export function isPromised(others: readonly Date[], at: Date, { limit, windowMs }: PostQuota): boolean {
  const times = others.map((time) => time.getTime()).sort((a, b) => a - b);
  const own = at.getTime();
  return times.some((first, index) => {
    const last = times[index + limit - 1];
    return last !== undefined && Math.max(last, own) - Math.min(first, own) < windowMs;
  });
}
