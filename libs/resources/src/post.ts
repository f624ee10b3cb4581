import type {
  MetadataEntry,
  MisfirePolicy,
  PlatformOverride,
  Post,
  PostMedia,
  PostStatus,
  PublishFailure,
  PublishStatus,
  PublishStrategy,
  Risk,
} from '@fanfare/contracts/content';
import { isoTime } from './required.ts';
import { patchFromProto, scalar } from './finding-parts.ts';
import { queuePlaceFromProto } from './queues/queue.ts';
import { publishResultFromProto } from './publish-result.ts';
import type { Urls } from './urls.ts';

export function postFromProto(given: Post, urls: Urls) {
  const { id, businessId } = given;
  return {
    id,
    business_id: businessId,
    status: statusFromProto(given.status),
    caption: given.caption,
    media_urls: given.media.map(({ url }) => url),
    media_details: given.media.map(mediaDetailFromProto),
    scheduled_publish_time: given.scheduledPublishTime?.toISOString() ?? null,
    published_at: given.publishedAt?.toISOString() ?? null,
    publish_status: publishStatusFromProto(given.publishStatus),
    publish_results: given.publishResults.map(publishResultFromProto),
    last_failure: given.lastFailure ? failureFromProto(given.lastFailure) : null,
    at_risk: given.atRisk.length === 0 ? null : given.atRisk.map(riskFromProto),
    restrict_publish_to: nullIfEmpty(given.restrictPublishTo),
    restrict_publish_to_integration_ids: nullIfEmpty(given.restrictPublishToIntegrationIds),
    platform_overrides: given.platformOverrides.map(platformOverrideFromProto),
    link: given.link ?? null,
    cover_media_id: given.coverMediaId ?? null,
    video_cover_timestamp_ms: given.videoCoverTimestampMs ?? null,
    design_id: given.designId ?? null,
    repeating_cron: given.repeatingCron ?? null,
    repeating_timezone: given.repeatingCron === undefined ? null : (given.repeatingTimezone ?? 'UTC'),
    series_id: given.seriesId ?? null,
    misfire_policy: misfirePolicyFromProto(given.misfirePolicy),
    strategy: strategyFromProto(given.strategy),
    queue: given.queue ? queuePlaceFromProto(given.queue) : null,
    metadata: metadataFromProto(given.metadata),
    review_note: given.reviewNote ?? null,
    url: urls.consolePost(businessId, id),
    scheduled_posts_url: given.status === 'POST_STATUS_SCHEDULED' ? urls.consoleScheduledPosts(businessId) : null,
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}

const failureFromProto = ({ errorType, detail, at }: PublishFailure) => ({
  error_type: errorType,
  detail,
  at: isoTime(at),
});

function riskFromProto({ code, detail, mediaId, platform, field, limit, value, source, fix }: Risk) {
  return {
    ...{ code, detail, media_id: mediaId ?? null, platform: platform ?? null, field: field ?? null },
    ...{ limit: scalar(limit), value: scalar(value), source: source ?? null, fix: patchFromProto(fix) },
  };
}

function mediaDetailFromProto({ id, url, type, description, transcript, duration }: PostMedia) {
  return { id, url, type, description, transcript, duration };
}

const nullIfEmpty = (list: string[]) => (list.length === 0 ? null : list);

function platformOverrideFromProto(override: PlatformOverride) {
  return {
    platform: override.platform === '' ? null : override.platform,
    integration_id: override.integrationId ?? null,
    caption: override.caption ?? null,
    media_urls: override.media?.items.map(({ url }) => url) ?? null,
    title: override.title ?? null,
    link: override.link ?? null,
    first_comment: override.firstComment ?? null,
    options: override.options ?? null,
  };
}

const statusFromProto = (status: PostStatus): string => status.replace('POST_STATUS_', '');

/** Posts of a version without strategies are independent. */
const strategyFromProto = (strategy: PublishStrategy): string =>
  strategy === 'PUBLISH_STRATEGY_UNSPECIFIED' ? 'independent' : strategy.replace('PUBLISH_STRATEGY_', '').toLowerCase();

/** Null if none was chosen. */
export const misfirePolicyFromProto = (policy: MisfirePolicy): string | null =>
  policy === 'MISFIRE_POLICY_UNSPECIFIED' ? null : policy.replace('MISFIRE_POLICY_', '').toLowerCase();

/** Null for a post that was never sent from here. */
const publishStatusFromProto = (status: PublishStatus): string | null =>
  status === 'PUBLISH_STATUS_UNSPECIFIED' ? null : status.replace('PUBLISH_STATUS_', '').toLowerCase();

/** `Object.fromEntries` defines members instead of assigning them, so `__proto__` becomes a plain member. */
export function metadataFromProto(entries: readonly MetadataEntry[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}
