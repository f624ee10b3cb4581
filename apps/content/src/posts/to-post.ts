import type { QueuePlace } from '@fanfare/contracts/content/queues';
import type { Post, PublishFailure, PublishResult, Risk } from '@fanfare/contracts/content';
import { seriesOf } from '../series/series-content.ts';
import type { PostDocument, ResultDocument } from './post.ts';
import { publishStatusOf } from './publish-status.ts';

/**
 * @param atRisk the current risks of a scheduled post; see `risksOf`
 * @param queue its place in a queue
 */
export function toPost(document: PostDocument, atRisk: Risk[], queue: QueuePlace | undefined): Post {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
    caption: document.caption,
    status: document.status,
    media: document.media,
    designId: document.design_id,
    coverMediaId: document.cover_media_id,
    videoCoverTimestampMs: document.video_cover_timestamp_ms,
    link: document.link,
    restrictPublishTo: document.restrict_publish_to,
    restrictPublishToIntegrationIds: document.restrict_publish_to_integration_ids,
    scheduledPublishTime: document.scheduled_publish_time,
    publishedAt: document.published_at,
    metadata: document.metadata,
    platformOverrides: document.platform_overrides,
    publishResults: document.publish_results.map(toResult),
    repeatingCron: document.repeating_cron,
    repeatingTimezone: document.repeating_timezone,
    seriesId: seriesOf(document),
    misfirePolicy: document.misfire_policy ?? 'MISFIRE_POLICY_UNSPECIFIED',
    strategy: document.strategy ?? 'PUBLISH_STRATEGY_INDEPENDENT',
    reviewNote: document.review_note,
    atRisk,
    mediaRevision: document.media_revision ?? 0,
    publishStatus: publishStatusOf(document) ?? 'PUBLISH_STATUS_UNSPECIFIED',
    lastFailure: toFailure(document),
    queue,
  };
}

export const toResult = (result: ResultDocument): PublishResult => ({
  ...result,
  warnings: result.warnings ?? [],
  removal: result.removal,
});

/** Why nothing could be sent, as in responses and events. */
export const toFailure = ({ last_failure: failure }: PostDocument): PublishFailure | undefined =>
  failure && { errorType: failure.error_type, detail: failure.detail, at: failure.at };
