import { isDeepStrictEqual } from 'node:util';
import { topics } from '@fanfare/contracts';
import type { QueuePlace } from '@fanfare/contracts/content/queues';
import type { LinkTracking, PlatformOverride, PostMedia, PublishStrategy, Risk } from '@fanfare/contracts/content';
import type { PostChange, PostChanged, PublicationRequested, QueueEmptied, RequestedRemoval } from '@fanfare/contracts/content/events';
import { appendAllToOutbox, appendToOutbox, type Emission } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import { placesOfPosts } from './queues/places-of-posts.ts';
import { neededMediaIds } from './posts/needed-media.ts';
import type { PostDocument } from './posts/post.ts';
import { publishStatusOf } from './posts/publish-status.ts';
import { toFailure, toPost, toResult } from './posts/to-post.ts';
import type { QueueDocument } from './queues/queue.ts';
import { findDefaultQueueId } from './queues/store/default-queues.ts';
import { toQueue } from './queues/store/queues.ts';
import type { ClaimedTarget } from './publishing/claim.ts';

const SOURCE = 'content';

/** The publication of a post that was claimed. */
interface Publication {
  readonly id: string;
  readonly post: PostDocument;
  readonly targets: readonly ClaimedTarget[];
  readonly strategy: PublishStrategy;
  readonly dueAt: Date;
  /** Deliveries that have not begun by then are not sent. */
  readonly publishBefore: Date | undefined;
  readonly flowId: string;
  /** The link tracking of its business. */
  readonly linkTracking: LinkTracking | undefined;
}

/** Emits a publication request for each claimed post. The event freezes the content that is sent. */
export async function emitPublicationsRequested(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  publications: readonly Publication[],
): Promise<void> {
  if (publications.length > 0) await appendAllToOutbox(db, session, SOURCE, topics.publicationRequested, publications.map(toRequest));
}

function toRequest({ id, post, targets, strategy, dueAt, publishBefore, flowId, linkTracking }: Publication): {
  emission: Emission;
  data: PublicationRequested;
} {
  return {
    emission: { subject: id, revision: 1, organizationId: post.organization_id, businessId: post.business_id, flowId },
    data: {
      publicationId: id,
      postId: post._id,
      organizationId: post.organization_id,
      businessId: post.business_id,
      deliveries: [...targets],
      dueAt,
      publishBefore,
      strategy,
      snapshot: {
        caption: post.caption,
        media: post.media.map(withoutTexts),
        link: post.link,
        coverMediaId: post.cover_media_id,
        videoCoverTimestampMs: post.video_cover_timestamp_ms,
        platformOverrides: post.platform_overrides.map(ofOverride),
        metadata: post.metadata,
        linkTracking,
      },
    },
  };
}

/** Emits the request to remove a published post from its platforms. */
export async function emitRemovalsRequested(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  request: {
    readonly operationId: string;
    readonly post: PostDocument;
    readonly removals: readonly RequestedRemoval[];
    readonly flowId: string;
  },
): Promise<void> {
  const { operationId, post, removals, flowId } = request;
  const owner = { organizationId: post.organization_id, businessId: post.business_id };
  const emission = { subject: operationId, revision: 1, ...owner, flowId };
  await appendToOutbox(db, session, SOURCE, topics.removalsRequested, emission, {
    ...{ operationId, postId: post._id, ...owner },
    removals: [...removals],
  });
}

/** The publisher reads texts and facts of media from the library: transcripts would not fit into an event. */
const withoutTexts = (media: PostMedia): PostMedia => ({ ...media, description: '', transcript: '', facts: undefined });

const withoutMediaTexts = (post: PostDocument): PostDocument => ({
  ...post,
  media: post.media.map(withoutTexts),
  platform_overrides: post.platform_overrides.map(ofOverride),
});

const ofOverride = (override: PlatformOverride): PlatformOverride =>
  override.media ? { ...override, media: { items: override.media.items.map(withoutTexts) } } : override;

/** Which flow the change belongs to, and who made it. */
export interface Cause {
  readonly flowId: string;
  readonly actor: string;
  /** Absent if no request of the API made it. */
  readonly requestId?: string;
}

/** A post after a change, what was changed, and why. */
export interface ChangedPost {
  /** The post before the change; undefined if it is new. */
  readonly before?: PostDocument;
  readonly post: PostDocument;
  /** Those of the post after the change or, if it was deleted, before. */
  readonly risks: readonly Risk[];
  readonly changes: readonly PostChange[];
  /** That of a deleted post in its queue; those of others are read. */
  readonly placeBefore?: QueuePlace | undefined;
  readonly cause: Cause & { readonly publicationId?: string | undefined };
}

/** Changes that consumers need no copy of the post for. */
const WITHOUT_POST: ReadonlySet<PostChange> = new Set([
  'POST_CHANGE_CLAIMED',
  'POST_CHANGE_RESULT_CHANGED',
  'POST_CHANGE_PUBLISHED',
  'POST_CHANGE_REMOVAL_CHANGED',
]);

/**
 * Emits one event for each change. Their queues have followed the change.
 * @returns the places of the posts that are in a queue
 */
export async function emitPostsChanged(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  changed: readonly ChangedPost[],
): Promise<Map<string, QueuePlace>> {
  const places = await placesOfPosts(
    db,
    changed.map(({ post }) => post),
    session,
  );
  const events = changed.map((one) => toChange(one, places.get(one.post._id) ?? one.placeBefore));
  if (events.length > 0) await appendAllToOutbox(db, session, SOURCE, topics.postChanged, events);
  return places;
}

function toChange(
  { before, post, risks, changes, cause }: ChangedPost,
  place: QueuePlace | undefined,
): { emission: Emission; data: PostChanged } {
  const { _id: postId, organization_id: organizationId, business_id: businessId, revision, status, publish_results: results } = post;
  const failed = results.filter((one) => one.status === 'PUBLISH_RESULT_STATUS_FAILED');
  const isEnded = changes.includes('POST_CHANGE_ENDED');
  // Deleting a post unschedules it, which is not what consumers want to know of it.
  const isDeleted = changes.includes('POST_CHANGE_DELETED');
  return {
    emission: { ...cause, subject: postId, revision, organizationId, businessId },
    data: {
      postId,
      organizationId,
      businessId,
      revision,
      changes: [...changes],
      status,
      publicationId: cause.publicationId,
      succeeded: results.filter((one) => one.status === 'PUBLISH_RESULT_STATUS_SUCCESS').length,
      failed: failed.length,
      actor: cause.actor,
      neededMediaIds: neededMediaIds(post),
      neededMediaUnchanged: before !== undefined && isDeepStrictEqual(neededMediaIds(before), neededMediaIds(post)),
      author: post.created_by ?? '',
      publishStatus: publishStatusOf(post) ?? 'PUBLISH_STATUS_UNSPECIFIED',
      failedResults: isEnded ? failed.map(toResult) : [],
      lastFailure: isEnded ? toFailure(post) : undefined,
      post: changes.some((change) => !WITHOUT_POST.has(change))
        ? toPost(withoutMediaTexts(isDeleted && before ? before : post), [...risks], place)
        : undefined,
    },
  };
}

/** Emits that a queue has become empty. */
export async function emitQueueEmptied({ db }: Pick<Context, 'db'>, session: ClientSession, queue: QueueDocument): Promise<void> {
  const { _id: subject, revision, organization_id: organizationId, business_id: businessId } = queue;
  const emission = { subject, revision, organizationId, businessId, flowId: `queue-${subject}`, actor: `system:${SOURCE}` };
  const isDefault = (await findDefaultQueueId(db, { organizationId, businessId }, session)) === subject;
  const data: QueueEmptied = { queue: toQueue(queue, isDefault) };
  await appendAllToOutbox(db, session, SOURCE, topics.queueEmptied, [{ emission, data }]);
}

/** The changes of a post, and that it is at risk, if that is new. */
export const withRisk = (changes: readonly PostChange[], isNew: boolean): readonly PostChange[] =>
  isNew ? [...changes, 'POST_CHANGE_AT_RISK'] : changes;

/** The changes in the first event of a post. */
export function createdAs({ status }: PostDocument): readonly PostChange[] {
  if (status === 'POST_STATUS_SCHEDULED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED'];
  if (status === 'POST_STATUS_PUBLISHED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_PUBLISHED'];
  return ['POST_CHANGE_CREATED'];
}
