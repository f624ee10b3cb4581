import { topics } from '@fanfare/contracts';
import { appendToOutbox } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import type { ClaimedTarget } from './domain/claim.ts';
import type { PostDocument } from './store/posts.ts';

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
      media: post.media,
      link: post.link,
      coverMediaId: post.cover_media_id,
      videoCoverTimestampMs: post.video_cover_timestamp_ms,
      platformOverrides: post.platform_overrides,
    },
  });
}
