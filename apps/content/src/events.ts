import { topics } from '@fanfare/contracts';
import type { PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import type { PostChange } from '@fanfare/contracts/content/events';
import { appendToOutbox } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import type { ClaimedTarget } from './domain/claim.ts';
import { neededMediaIds } from './domain/needed-media.ts';
import { publishStatusOf } from './domain/publish-status.ts';
import { toFailure, toResult, type PostDocument } from './store/posts.ts';

const SOURCE = 'content';

/** A post was claimed: what is sent is frozen here. */
export async function emitPublicationRequested(
  context: Context,
  session: ClientSession,
  publication: { id: string; post: PostDocument; targets: readonly ClaimedTarget[]; dueAt: Date; flowId: string },
): Promise<void> {
  const { id, post, targets, dueAt, flowId } = publication;
  const emission = { subject: id, revision: 1, organizationId: post.organization_id, businessId: post.business_id, flowId };
  await appendToOutbox(context.db, session, SOURCE, topics.publicationRequested, emission, {
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
    },
  });
}

/** Whoever sends them asks the library for their texts and what they are; transcripts would not fit into an event. */
const withoutTexts = (media: PostMedia): PostMedia => ({ ...media, description: '', transcript: '', facts: undefined });

const ofOverride = (override: PlatformOverride): PlatformOverride =>
  override.media ? { ...override, media: { items: override.media.items.map(withoutTexts) } } : override;

/** In whose flow, and who did it. */
export interface Cause {
  readonly flowId: string;
  readonly actor: string;
}

/** A post changed: once for each of its revisions. */
export async function emitPostChanged(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  post: PostDocument,
  changes: readonly PostChange[],
  { flowId, actor, publicationId }: Cause & { publicationId?: string | undefined },
): Promise<void> {
  const { _id: postId, organization_id: organizationId, business_id: businessId, revision, status, publish_results: results } = post;
  const emission = { subject: postId, revision, organizationId, businessId, flowId };
  const failed = results.filter((one) => one.status === 'PUBLISH_RESULT_STATUS_FAILED');
  const isEnded = changes.includes('POST_CHANGE_ENDED');
  await appendToOutbox(db, session, SOURCE, topics.postChanged, emission, {
    postId,
    organizationId,
    businessId,
    revision,
    changes: [...changes],
    status,
    publicationId,
    succeeded: results.filter((one) => one.status === 'PUBLISH_RESULT_STATUS_SUCCESS').length,
    failed: failed.length,
    actor,
    neededMediaIds: neededMediaIds(post),
    author: post.created_by ?? '',
    publishStatus: publishStatusOf(post) ?? 'PUBLISH_STATUS_UNSPECIFIED',
    failedResults: isEnded ? failed.map(toResult) : [],
    lastFailure: isEnded ? toFailure(post) : undefined,
  });
}

/** What the first event of a post says. */
export function createdAs({ status }: PostDocument): readonly PostChange[] {
  if (status === 'POST_STATUS_SCHEDULED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED'];
  if (status === 'POST_STATUS_PUBLISHED') return ['POST_CHANGE_CREATED', 'POST_CHANGE_PUBLISHED'];
  return ['POST_CHANGE_CREATED'];
}
