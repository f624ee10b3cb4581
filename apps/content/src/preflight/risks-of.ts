import { platformLabel } from '@fanfare/connectors/platform';
import type { Finding, LinkTracking, Risk } from '@fanfare/contracts/content';
import type { PostDocument } from '../posts/post.ts';
import { queueRisks } from '../queues/queue-risk.ts';
import { withQueueTargets } from '../queues/with-queue-targets.ts';
import type { QueueDocument } from '../queues/queue.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { wasPublishedEarly } from '../targets/early.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { restrictionOf, type Target } from '../targets/targets.ts';
import { storedPost } from './checked-post.ts';
import { checkedTargets } from './checked-targets.ts';
import { quotaOf } from './promised-quota.ts';
import { findingsIn } from './platform-findings.ts';
import { targetFindings } from './target-findings.ts';

/** Whether a post can be at risk because of what is known now. */
export const canBeAtRisk = (post: PostDocument): boolean => isWaiting(post) || post.is_held === true;

/** The data of a business that decides whether its posts are at risk. */
export interface RiskSources {
  readonly integrations: readonly IntegrationDocument[];
  readonly linkTracking: LinkTracking | undefined;
  /** Accounts of this post whose quota is promised to other posts. */
  readonly promised?: readonly string[];
  /** Those that have posts which are checked. */
  readonly queues: ReadonlyMap<string, QueueDocument>;
}

/** For posts that are not waiting. */
export const NO_RISK_SOURCES: RiskSources = { integrations: [], linkTracking: undefined, queues: new Map() };

/**
 * Why publishing a scheduled post would fail, as far as it is known now: its media were deleted, accounts are not connected or must be reconnected, or
 * platforms would reject its content; its queue is paused; or it is held. Only the first and the last are stored. The others are computed, because they change for any number of posts at once with the
 * accounts of the business, their settings, and the tables of limits.
 * @param of the data of the business; used only if the post is waiting
 */
export function risksOf(post: PostDocument, { integrations, linkTracking, promised = [], queues }: RiskSources): Risk[] {
  if (post.is_held) return [heldRisk(post)];
  if (post.status !== 'POST_STATUS_SCHEDULED') return [];
  const stored = (post.at_risk ?? []).map((risk): Risk => ({ ...risk, limit: undefined, value: undefined, fix: [] }));
  if (!isWaiting(post)) return stored;
  const queue = queues.get(post.queue_id ?? '');
  const restriction = restrictionOf(withQueueTargets(post, queue));
  const isLeftOut = (target: Target) => wasPublishedEarly(post, target);
  const { platforms, accounts } = checkedTargets(restriction, integrations, isLeftOut);
  const rejections = findingsIn(storedPost(post, linkTracking), platforms, accounts).findings.filter(
    ({ severity }) => severity === 'FINDING_SEVERITY_ERROR',
  );
  const ofTargets = targetFindings(restriction, integrations, { isLeftOut, at: post.scheduled_publish_time });
  const ofQuotas = promised.flatMap((id) => integrations.filter(({ _id }) => _id === id).map(promisedRisk));
  return [...stored, ...queueRisks(queue), ...[...ofTargets, ...rejections].map((finding) => toRisk(post, finding)), ...ofQuotas];
}

function heldRisk({ last_failure }: PostDocument): Risk {
  const detail = `${last_failure?.detail ?? 'The post was too late to be published.'} Schedule or publish it.`;
  return toRiskAlone('misfire_hold', detail);
}

function promisedRisk({ _id, platform }: IntegrationDocument): Risk {
  const limit = quotaOf(platform)?.limit;
  const detail = `The ${platformLabel(platform)} account ${_id} may publish ${limit} posts in 24 hours, and that many others are scheduled, queued or published around this time. One of them will wait.`;
  return { ...toRiskAlone('quota_promised', detail), platform, limit };
}

const toRiskAlone = (code: string, detail: string): Risk => ({
  ...{ code, detail, mediaId: undefined, platform: undefined, field: undefined },
  ...{ limit: undefined, value: undefined, source: undefined, fix: [] },
});

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
