import type { Finding, LinkTracking, Risk } from '@fanfare/contracts/content';
import type { PostDocument } from '../posts/post.ts';
import { wasPublishedEarly } from '../targets/early.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { restrictionOf, type Target } from '../targets/targets.ts';
import { storedPost } from './checked-post.ts';
import { checkedTargets } from './checked-targets.ts';
import { findingsIn } from './platform-findings.ts';
import { targetFindings } from './target-findings.ts';

/** Whether the post is waiting for its time. After the claim, its results say what happens. */
export const isWaiting = (post: PostDocument): boolean => post.status === 'POST_STATUS_SCHEDULED' && post.next_due_at !== undefined;

/** The data of a business that decides whether its posts are at risk. */
export interface RiskSources {
  readonly integrations: readonly IntegrationDocument[];
  readonly linkTracking: LinkTracking | undefined;
}

/** For posts that are not waiting. */
export const NO_RISK_SOURCES: RiskSources = { integrations: [], linkTracking: undefined };

/**
 * Why publishing a scheduled post would fail, as far as it is known now: its media were deleted, accounts are not connected or must be reconnected, or
 * platforms would reject its content. Only the first is stored. The others are computed, because they change for any number of posts at once with the
 * accounts of the business, their settings, and the tables of limits.
 * @param of the data of the business; used only if the post is waiting
 */
export function risksOf(post: PostDocument, { integrations, linkTracking }: RiskSources): Risk[] {
  if (post.status !== 'POST_STATUS_SCHEDULED') return [];
  const stored = (post.at_risk ?? []).map((risk): Risk => ({ ...risk, limit: undefined, value: undefined, fix: [] }));
  if (!isWaiting(post)) return stored;
  const restriction = restrictionOf(post);
  const isLeftOut = (target: Target) => wasPublishedEarly(post, target);
  const { platforms, accounts } = checkedTargets(restriction, integrations, isLeftOut);
  const rejections = findingsIn(storedPost(post, linkTracking), platforms, accounts).findings.filter(
    ({ severity }) => severity === 'FINDING_SEVERITY_ERROR',
  );
  return [...stored, ...[...targetFindings(restriction, integrations, isLeftOut), ...rejections].map((finding) => toRisk(post, finding))];
}

function toRisk(post: PostDocument, { ruleId, detail, platform, field, limit, value, source, fix }: Finding): Risk {
  const mediaId = field === undefined ? undefined : mediaAt(post, field);
  return { code: ruleId, detail, mediaId, platform, field, limit: limit as unknown, value: value as unknown, source, fix };
}

/** The id of the media at a path such as `platform_overrides.0.media_urls.2`. */
function mediaAt({ media, platform_overrides }: PostDocument, field: string): string | undefined {
  const [, override, index] = /^(?:platform_overrides\.(\d+)\.)?media_urls\.(\d+)$/.exec(field) ?? [];
  if (index === undefined) return undefined;
  const items = override === undefined ? media : platform_overrides[Number(override)]?.media?.items;
  return items?.[Number(index)]?.id;
}
