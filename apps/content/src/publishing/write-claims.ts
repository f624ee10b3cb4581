import type { ClientSession } from 'mongodb';
import { listLinkTracking } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import { createdAs, emitPostsChanged, emitPublicationsRequested, type Cause } from '../events.ts';
import type { PostDocument } from '../posts/post.ts';
import { insertPostsOnce, replacePosts } from '../posts/store/posts.ts';
import { nextOccurrence } from '../series/next-occurrence.ts';
import { changesOfClaim, type ClaimedTarget } from './claim.ts';

/** A post before and after its claim, and its publication. */
export interface WrittenClaim {
  readonly before: PostDocument;
  readonly after: PostDocument;
  /** Empty if nothing can be sent. */
  readonly targets: readonly ClaimedTarget[];
  readonly publicationId: string;
  readonly dueAt: Date;
  /** The current time of its organization, whose test clock may differ. */
  readonly at: Date;
  readonly cause: Cause;
}

/**
 * Writes claims in the transaction that read the posts: the changed posts, the next posts of their series, and the publication requests. All of them are
 * written, or none.
 */
export async function writeClaims(context: Context, session: ClientSession, claims: readonly WrittenClaim[]): Promise<void> {
  const { db } = context;
  await replacePosts(db, claims, session);
  const next = new Map(claims.flatMap((one) => ofSeries(one).map((post) => [post._id, { post, cause: one.cause }] as const)));
  const inserted = await insertPostsOnce(
    db,
    [...next.values()].map(({ post }) => post),
    session,
  );
  await requestPublications(
    context,
    session,
    claims.filter(({ targets }) => targets.length > 0),
  );
  await emitPostsChanged(context, session, [
    ...claims.map(({ before, after, cause, publicationId }) => ({
      before,
      post: after,
      changes: changesOfClaim(before, after),
      cause: { ...cause, publicationId },
    })),
    ...inserted.map((post) => ({ post, changes: createdAs(post), cause: next.get(post._id)?.cause as Cause })),
  ]);
}

/** The link tracking of the business is frozen with the publication: later changes do not affect it. */
async function requestPublications(context: Context, session: ClientSession, claims: readonly WrittenClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const businessIds = [...new Set(claims.map(({ after }) => after.business_id))];
  const linkTracking = await listLinkTracking(context.db, businessIds, session);
  const publications = claims.map(({ publicationId: id, after: post, targets, dueAt, cause: { flowId } }) => {
    return { id, post, targets, dueAt, flowId, linkTracking: linkTracking.get(post.business_id) };
  });
  await emitPublicationsRequested(context, session, publications);
}

/** The next post of the series, if the post repeats. A post that stays scheduled for its other accounts gets its successor at its time. */
function ofSeries({ before, after, dueAt, at }: WrittenClaim): PostDocument[] {
  if (!after.is_followed) return [];
  const next = nextOccurrence(before, dueAt, at);
  return next ? [next] : [];
}
