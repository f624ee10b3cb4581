import type { Finding, LinkTracking, Risk } from '@fanfare/contracts/content';
import type { PostDocument } from '../posts/post.ts';
import { wasPublishedEarly } from '../targets/early.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { restrictionOf, type Target } from '../targets/targets.ts';
import { storedPost } from './checked-post.ts';
import { checkedTargets } from './checked-targets.ts';
import { findingsIn } from './platform-findings.ts';
import { targetFindings } from './target-findings.ts';

/** Whether it waits for its time: what was claimed is told by its results. */
export const isWaiting = (post: PostDocument): boolean => post.status === 'POST_STATUS_SCHEDULED' && post.next_due_at !== undefined;

/** What of a business decides whether its posts are at risk. */
export interface RiskSources {
  readonly integrations: readonly IntegrationDocument[];
  readonly linkTracking: LinkTracking | undefined;
}

/** For posts that do not wait. */
export const NO_RISK_SOURCES: RiskSources = { integrations: [], linkTracking: undefined };

/**
 * Why publishing a scheduled post would fail, as far as anybody knows now: what became of its media, which accounts are not connected or have
 * to be connected again, and what the platforms that it goes to would refuse. All but the first are not stored: they change with the accounts of the business
 * and their settings, and with the tables themselves, for any number of posts at once.
 * @param of what the business has; not looked at unless the post waits
 */
export function risksOf(post: PostDocument, { integrations, linkTracking }: RiskSources): Risk[] {
  if (post.status !== 'POST_STATUS_SCHEDULED') return [];
  const stored = (post.at_risk ?? []).map((risk): Risk => ({ ...risk, limit: undefined, value: undefined, fix: [] }));
  if (!isWaiting(post)) return stored;
  const restriction = restrictionOf(post);
  const isLeftOut = (target: Target) => wasPublishedEarly(post, target);
  const { platforms, accounts } = checkedTargets(restriction, integrations, isLeftOut);
  const refused = findingsIn(storedPost(post, linkTracking), platforms, accounts).findings.filter(
    ({ severity }) => severity === 'FINDING_SEVERITY_ERROR',
  );
  return [...stored, ...[...targetFindings(restriction, integrations, isLeftOut), ...refused].map((finding) => toRisk(post, finding))];
}

function toRisk(post: PostDocument, { ruleId, detail, platform, field, limit, value, source, fix }: Finding): Risk {
  const mediaId = field === undefined ? undefined : mediaAt(post, field);
  return { code: ruleId, detail, mediaId, platform, field, limit: limit as unknown, value: value as unknown, source, fix };
}

/** The media that a path names, such as `platform_overrides.0.media_urls.2`. */
function mediaAt({ media, platform_overrides }: PostDocument, field: string): string | undefined {
  const [, override, index] = /^(?:platform_overrides\.(\d+)\.)?media_urls\.(\d+)$/.exec(field) ?? [];
  if (index === undefined) return undefined;
  const items = override === undefined ? media : platform_overrides[Number(override)]?.media?.items;
  return items?.[Number(index)]?.id;
}
