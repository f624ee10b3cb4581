import type { CreatePostRequest, PostStatus } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { ResolvedMedia } from '../../media/resolve-media.ts';
import { checkHasContent } from '../../posts/post-content.ts';
import type { PostDocument } from '../../posts/post.ts';
import { checkTimeZone, parseRepeatingCron, zoneAlone } from '../../series/repeating-cron.ts';
import { checkSchedule } from './check-schedule.ts';
import { repeatsInQueue } from './queue-post.ts';
import { contentRules } from './content-rules.ts';
import { withMisfirePolicy, withStrategy } from './publishing-choices.ts';

/** A rule, with the rule id that findings have. */
type NewPostRule = readonly [ruleId: string, check: (request: CreatePostRequest, now: Date) => void];

/** The rules of a new post that need no other data than the request. */
export const newPostRules: readonly NewPostRule[] = [...contentRules, ['schedule_time', checkSchedule], ['repeating_cron', checkCron]];

/** Checked before anything is fetched. */
export function checkNewPost(request: CreatePostRequest, now: Date): void {
  for (const [, check] of newPostRules) check(request, now);
}

/** Makes the document of a new post, once its media are resolved. */
export function newPost(
  request: CreatePostRequest,
  scope: { organizationId: string; businessId: string; actor: string },
  resolved: ResolvedMedia,
  now: Date,
): PostDocument {
  const status = statusOf(request);
  const document: PostDocument = {
    _id: request.postId,
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    created_at: now,
    updated_at: now,
    revision: 1,
    caption: request.caption,
    status,
    verdict: status === 'POST_STATUS_DRAFT' || status === 'POST_STATUS_REJECTED' ? status : 'POST_STATUS_NEW',
    media: resolved.media,
    restrict_publish_to: request.restrictPublishTo,
    restrict_publish_to_integration_ids: request.restrictPublishToIntegrationIds,
    metadata: request.metadata,
    platform_overrides: resolved.overrides,
    publish_results: [],
    publication_ids: [],
    created_by: scope.actor,
  };
  if (request.designId !== undefined) document.design_id = request.designId;
  if (resolved.designRevision !== undefined) document.design_revision = resolved.designRevision;
  if (request.coverMediaId !== undefined) document.cover_media_id = request.coverMediaId;
  if (request.videoCoverTimestampMs !== undefined) document.video_cover_timestamp_ms = request.videoCoverTimestampMs;
  if (request.link !== undefined) document.link = request.link;
  if (request.repeatingCron !== undefined) {
    document.repeating_cron = parseRepeatingCron(request.repeatingCron, now, request.repeatingTimezone);
    if (request.repeatingTimezone !== undefined) document.repeating_timezone = request.repeatingTimezone;
  }
  if (status === 'POST_STATUS_PUBLISHED') document.published_at = now;
  if (status === 'POST_STATUS_SCHEDULED' && request.scheduledPublishTime) {
    checkHasContent(document);
    document.scheduled_publish_time = request.scheduledPublishTime;
    document.next_due_at = request.scheduledPublishTime;
  }
  if (request.queueId !== undefined) {
    checkHasContent(document);
    document.queue_id = request.queueId;
  }
  return withStrategy(withMisfirePolicy(document, request.misfirePolicy), request.strategy);
}

function checkCron({ repeatingCron, repeatingTimezone, status, queueId }: CreatePostRequest, now: Date): void {
  if (repeatingTimezone !== undefined) checkTimeZone(repeatingTimezone);
  if (repeatingCron === undefined) {
    if (repeatingTimezone !== undefined) throw zoneAlone();
    return;
  }
  parseRepeatingCron(repeatingCron, now, repeatingTimezone);
  if (queueId !== undefined) throw repeatsInQueue();
  if (status === 'POST_STATUS_PUBLISHED') {
    throw new DomainError(
      'invalid_request',
      'This post records one that was published elsewhere. It cannot be published from here and cannot repeat.',
      {
        param: 'repeating_cron',
      },
    );
  }
}

function statusOf({ status, queueId }: CreatePostRequest): PostStatus {
  if (queueId !== undefined) return 'POST_STATUS_SCHEDULED';
  return status === 'POST_STATUS_UNSPECIFIED' ? 'POST_STATUS_NEW' : status;
}
