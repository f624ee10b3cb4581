import { isDeepStrictEqual } from 'node:util';
import { topics } from '@fanfare/contracts';
import type { LinkTracking, PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import type { PostChange, PostChanged, PublicationRequested } from '@fanfare/contracts/content/events';
import { appendAllToOutbox, type Emission } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import { neededMediaIds } from './posts/needed-media.ts';
import type { PostDocument } from './posts/post.ts';
import { publishStatusOf } from './posts/publish-status.ts';
import { toFailure, toResult } from './posts/to-post.ts';
import type { ClaimedTarget } from './publishing/claim.ts';

const SOURCE = 'content';

/** The publication of a post that was claimed. */
interface Publication {
  readonly id: string;
  readonly post: PostDocument;
  readonly targets: readonly ClaimedTarget[];
  readonly dueAt: Date;
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

function toRequest({ id, post, targets, dueAt, flowId, linkTracking }: Publication): { emission: Emission; data: PublicationRequested } {
  return {
    emission: { subject: id, revision: 1, organizationId: post.organization_id, businessId: post.business_id, flowId },
    data: {
      publicationId: id,
      postId: post._id,
      organizationId: post.organization_id,
      businessId: post.business_id,
      deliveries: [...targets],
      dueAt,
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

/** The publisher reads texts and facts of media from the library: transcripts would not fit into an event. */
const withoutTexts = (media: PostMedia): PostMedia => ({ ...media, description: '', transcript: '', facts: undefined });

const ofOverride = (override: PlatformOverride): PlatformOverride =>
  override.media ? { ...override, media: { items: override.media.items.map(withoutTexts) } } : override;

/** Which flow the change belongs to, and who made it. */
export interface Cause {
  readonly flowId: string;
  readonly actor: string;
}

/** A post after a change, what was changed, and why. */
export interface ChangedPost {
  /** The post before the change; undefined if it is new. */
  readonly before?: PostDocument;
  readonly post: PostDocument;
  readonly changes: readonly PostChange[];
  readonly cause: Cause & { readonly publicationId?: string | undefined };
}

/** Emits one event for each new revision of a post. */
export async function emitPostsChanged(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  changed: readonly ChangedPost[],
): Promise<void> {
  if (changed.length > 0) await appendAllToOutbox(db, session, SOURCE, topics.postChanged, changed.map(toChange));
}

function toChange({ before, post, changes, cause }: ChangedPost): { emission: Emission; data: PostChanged } {
  const { _id: postId, organization_id: organizationId, business_id: businessId, revision, status, publish_results: results } = post;
  const failed = results.filter((one) => one.status === 'PUBLISH_RESULT_STATUS_FAILED');
  const isEnded = changes.includes('POST_CHANGE_ENDED');
  return {
    emission: { subject: postId, revision, organizationId, businessId, flowId: cause.flowId },
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
    },
  };
}

/** The changes in the first event of a post. */
export function createdAs({ status }: PostDocument): readonly PostChange[] {
  if (status === 'POST_STATUS_SCHEDULED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED'];
  if (status === 'POST_STATUS_PUBLISHED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_PUBLISHED'];
  return ['POST_CHANGE_CREATED'];
}
