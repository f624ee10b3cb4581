import type { CreatePostRequest, PlatformOverride, PostMedia, PostStatus } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../store/posts.ts';

/** Rules of a new post that need nobody else's knowledge; checked before anything is fetched. */
export function checkNewPost(request: CreatePostRequest, now: Date): void {
  checkMediaSources(request);
  checkOverrides(request);
  checkSchedule(request, now);
}

/** A post as it is first stored. Media are resolved already. */
export function newPost(
  request: CreatePostRequest,
  scope: { organizationId: string; businessId: string },
  resolved: { media: PostMedia[]; overrides: PlatformOverride[] },
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
  };
  if (request.designId !== undefined) document.design_id = request.designId;
  if (request.coverMediaId !== undefined) document.cover_media_id = request.coverMediaId;
  if (request.videoCoverTimestampMs !== undefined) document.video_cover_timestamp_ms = request.videoCoverTimestampMs;
  if (request.link !== undefined) document.link = request.link;
  if (status === 'POST_STATUS_PUBLISHED') document.published_at = now;
  if (status === 'POST_STATUS_SCHEDULED' && request.scheduledPublishTime) {
    checkHasContent(document);
    document.scheduled_publish_time = request.scheduledPublishTime;
    document.next_due_at = request.scheduledPublishTime;
  }
  return document;
}

/**
 * A caption may be left out only where something else supplies content.
 * @throws DomainError missing_field `caption`
 */
export function checkHasContent(post: PostDocument): void {
  const overridden = post.platform_overrides.some(({ caption, media }) =>
    caption !== undefined && caption !== '' ? true : (media?.items.length ?? 0) > 0,
  );
  if (post.caption.trim() === '' && post.media.length === 0 && post.design_id === undefined && post.link === undefined && !overridden) {
    throw new DomainError('missing_field', 'A post needs a caption, unless media, a design, a link or an override supplies content.', {
      param: 'caption',
    });
  }
}

function checkMediaSources({ mediaIds, mediaUrls, designId }: CreatePostRequest): void {
  const given = [mediaIds.length > 0 && 'media_ids', mediaUrls.length > 0 && 'media_urls', designId !== undefined && 'design_id'].filter(
    (name) => name !== false,
  );
  const [first, second] = given;
  if (second !== undefined) throw new DomainError('invalid_request', `${second} cannot be combined with ${first}.`, { param: second });
}

function checkOverrides({ platformOverrides }: CreatePostRequest): void {
  const platforms = platformOverrides.map(({ override }) => override?.platform);
  const second = platforms.findIndex((platform, index) => platforms.indexOf(platform) !== index);
  if (second === -1) return;
  const param = `platform_overrides.${second}.platform`;
  throw new DomainError('invalid_value', 'There is an override for this platform already.', { param });
}

function checkSchedule(request: CreatePostRequest, now: Date): void {
  const at = request.scheduledPublishTime;
  const param = 'scheduled_publish_time';
  if (statusOf(request) === 'POST_STATUS_SCHEDULED') {
    if (!at) throw new DomainError('missing_field', 'A post with status SCHEDULED needs scheduled_publish_time.', { param });
    if (at <= now) throw new DomainError('invalid_request', 'scheduled_publish_time must be in the future.', { param });
  } else if (at) {
    throw new DomainError('invalid_request', 'scheduled_publish_time is only for posts with status SCHEDULED.', { param });
  }
}

const statusOf = ({ status }: CreatePostRequest): PostStatus => (status === 'POST_STATUS_UNSPECIFIED' ? 'POST_STATUS_NEW' : status);
