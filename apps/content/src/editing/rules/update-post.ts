import type { UpdatePostRequest } from '@fanfare/contracts/content';
import type { PostChange } from '@fanfare/contracts/content/events';
import { DomainError } from '@fanfare/errors';
import type { ResolvedMedia } from '../../media/resolve-media.ts';
import { isPublishing } from '../../posts/is-publishing.ts';
import { checkHasContent } from '../../posts/post-content.ts';
import type { PostDocument } from '../../posts/post.ts';
import { isPublishedBy, afterWaiting } from '../../posts/after-waiting.ts';
import { withField } from '../../posts/with-field.ts';
import { checkSeriesEdit, editSeries, endedSeries } from './edit-series.ts';
import { checkRhythm, repeating } from '../../series/repeating.ts';
import { isWaiting } from '../../targets/is-waiting.ts';
import { checkFuture, checkNoTime } from './check-schedule.ts';
import { contentRules } from './content-rules.ts';
import type { Edit } from './edit.ts';
import { withMisfirePolicy, withStrategy } from './publishing-choices.ts';
import { checkNotRepeating, queued } from './queue-post.ts';

/** The values that an edit sets, once its media are resolved. */
interface Given extends ResolvedMedia {
  readonly request: UpdatePostRequest;
}

/** How each field that can be updated changes a post. A field that is in the mask but has no value is cleared. */
const FIELDS: Readonly<Record<string, (post: PostDocument, given: Given, now: Date) => PostDocument>> = {
  caption: (post, { request }) => ({ ...post, caption: request.caption }),
  media_ids: (post, { media }) => ({ ...withoutDesign(post), media }),
  media_urls: (post, { media }) => ({ ...withoutDesign(post), media }),
  design_id: designed,
  cover_media_id: (post, { request }) => withField(post, 'cover_media_id', request.coverMediaId),
  video_cover_timestamp_ms: (post, { request }) => withField(post, 'video_cover_timestamp_ms', request.videoCoverTimestampMs),
  link: (post, { request }) => withField(post, 'link', request.link),
  restrict_publish_to: (post, { request }) => ({ ...post, restrict_publish_to: request.restrictPublishTo }),
  restrict_publish_to_integration_ids: (post, { request }) => ({
    ...post,
    restrict_publish_to_integration_ids: request.restrictPublishToIntegrationIds,
  }),
  scheduled_publish_time: (post, { request }) => moved(post, request.scheduledPublishTime),
  metadata: (post, { request }) => ({ ...post, metadata: request.metadata }),
  platform_overrides: (post, { overrides }) => ({ ...post, platform_overrides: overrides }),
  misfire_policy: (post, { request }) => withMisfirePolicy(post, request.misfirePolicy),
  strategy: (post, { request }) => withStrategy(post, request.strategy),
  queue_id: (post, { request }) => inQueue(post, request.queueId),
  repeating_cron: (post, { request }, now) => repeating(post, request, now),
  repeating_timezone: (post, { request }, now) => repeating(post, request, now),
};

/**
 * The rules that need no other data than the request; checked before anything is fetched.
 * @throws DomainError invalid_request if the update mask is empty, or contains an unknown field
 */
export function checkUpdate(request: UpdatePostRequest, now: Date): void {
  const names = request.updateMask ?? [];
  if (names.length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  const unknown = names.find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined)
    throw new DomainError('invalid_request', `${unknown} is not a field of a post that can be updated.`, { param: unknown });
  for (const [, check] of contentRules) check(request);
  if (request.scheduledPublishTime) checkFuture(request.scheduledPublishTime, now);
  if (request.queueId !== undefined) checkNoTime(request.scheduledPublishTime);
  checkRhythm(request, now);
  checkSeriesEdit(request);
}

/** Fields that are not in the mask keep their values. A scheduled post must still have content after the edit. */
export function updatePost(request: UpdatePostRequest, resolved: ResolvedMedia): Edit {
  const given = { request, ...resolved };
  return (before, now) => {
    const change = (post: PostDocument) => (request.updateMask ?? []).reduce((one, name) => FIELDS[name]?.(one, given, now) ?? one, post);
    const edited = editSeries(before, change, request);
    // An account may have it although another one failed, which `all_or_nothing` requires and other strategies do not.
    const isNowPublished =
      edited.status !== 'POST_STATUS_PUBLISHED' && !isPublishing(edited) && !isWaiting(edited) && isPublishedBy(edited);
    const post = isNowPublished ? afterWaiting(edited) : edited;
    if (post.status === 'POST_STATUS_SCHEDULED') checkHasContent(post);
    checkNotRepeating(post);
    const isMoved = post.next_due_at?.getTime() !== before.next_due_at?.getTime() || post.queue_id !== before.queue_id;
    const changes: PostChange[] = ['POST_CHANGE_UPDATED'];
    if (isMoved) changes.push('POST_CHANGE_SCHEDULED');
    if (isNowPublished) changes.push('POST_CHANGE_PUBLISHED');
    return { post, changes, endedSeries: endedSeries(before, request) };
  };
}

/** A post whose design is removed keeps the media of that design. */
function designed(post: PostDocument, { request: { designId }, media, designRevision }: Given): PostDocument {
  if (designId === undefined || designRevision === undefined) return withoutDesign(post);
  return { ...post, design_id: designId, design_revision: designRevision, media };
}

const withoutDesign = (post: PostDocument): PostDocument =>
  withField(withField(post, 'design_id', undefined), 'design_revision', undefined);

/** A post in a queue stays there until it is unscheduled. */
function inQueue(post: PostDocument, queueId: string | undefined): PostDocument {
  if (queueId === post.queue_id) return post;
  if (queueId !== undefined) return queued(post, queueId);
  throw new DomainError('invalid_request', 'This post is in a queue. Unschedule it to take it out.', { param: 'queue_id' });
}

/** Only a scheduled post has a time, and it always has one unless it is in a queue: scheduling and unscheduling are operations of their own. */
function moved(post: PostDocument, at: Date | undefined): PostDocument {
  const isScheduled = post.status === 'POST_STATUS_SCHEDULED';
  const { queue_id, ...alone } = post;
  if (isScheduled && at) return { ...alone, scheduled_publish_time: at, next_due_at: at };
  if (queue_id !== undefined) return post;
  if (isScheduled === (at !== undefined)) return post;
  throw new DomainError(
    'invalid_request',
    isScheduled
      ? 'This post is scheduled. Unschedule it to remove its time.'
      : 'scheduled_publish_time is only for posts with status SCHEDULED. Schedule this post to give it a time.',
    { param: 'scheduled_publish_time' },
  );
}
