import type { LinkTracking, PublishStrategy } from '@fanfare/contracts/content';
import type { ClientSession, Db } from 'mongodb';
import type { Context } from '../context.ts';
import { emitPostsChanged, emitPublicationsRequested, type Cause, type ChangedPost } from '../events.ts';
import { followQueue } from '../queues/follow-queue.ts';
import { currentRisks } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { insertPostsOnce, replacePosts } from '../posts/store/posts.ts';
import { createdPost } from '../risks/created-post.ts';
import { nextOccurrence } from '../series/next-occurrence.ts';
import { changesOfClaim, type ClaimedTarget } from './claim.ts';
import type { Lateness } from '../misfires/misfire.ts';

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
  /** How its deliveries depend on each other. */
  readonly strategy: PublishStrategy;
  /** Undefined if it is never too late. */
  readonly lateness: Lateness | undefined;
  /** The caller has confirmed that accounts with an unknown outcome do not have the post. */
  readonly confirmNotPublished?: boolean;
  /** The link tracking of its business, read in the transaction: later changes do not affect the publication. */
  readonly linkTracking: LinkTracking | undefined;
}

/**
 * Writes claims in the transaction that read the posts: the changed posts, the next posts of their series, and the publication requests. All of them are
 * written, or none.
 */
export async function writeClaims(context: Context, session: ClientSession, claims: readonly WrittenClaim[]): Promise<void> {
  const { db } = context;
  await replacePosts(db, claims, session);
  for (const { before, after } of claims) await followQueue(db, session, before, after);
  const next = new Map((await Promise.all(claims.flatMap((one) => ofSeries(db, one)))).map((one) => [one.post._id, one]));
  const inserted = await insertPostsOnce(db, [...next.values()], session);
  await requestPublications(
    context,
    session,
    claims.filter(({ targets }) => targets.length > 0),
  );
  await emitPostsChanged(context, session, [
    ...(await Promise.all(
      claims.map(async ({ before, after, cause, publicationId }) => ({
        before,
        post: after,
        risks: await currentRisks(db, after),
        changes: changesOfClaim(before, after),
        cause: { ...cause, publicationId },
      })),
    )),
    ...inserted.flatMap(({ _id }) => next.get(_id) ?? []),
  ]);
}

async function requestPublications(context: Context, session: ClientSession, claims: readonly WrittenClaim[]): Promise<void> {
  const publications = claims.map(({ publicationId: id, after: post, lateness, cause, ...rest }) => {
    return { ...rest, id, post, publishBefore: lateness?.publishBefore, flowId: cause.flowId };
  });
  await emitPublicationsRequested(context, session, publications);
}

/** The next post of the series, if the post repeats. A post that stays scheduled for its other accounts gets its successor at its time. */
function ofSeries(db: Db, { before, after, dueAt, at, cause }: WrittenClaim): Promise<ChangedPost>[] {
  const next = after.is_followed && nextOccurrence(before, dueAt, at);
  return next ? [createdPost(db, next, cause)] : [];
}
