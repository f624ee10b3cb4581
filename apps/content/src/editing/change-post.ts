import { notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now, realTime } from '@fanfare/runtime';
import type { OverrideInput, Post } from '@fanfare/contracts/content';
import type { ClientSession, Db } from 'mongodb';
import type { Context } from '../context.ts';
import { emitPostsChanged, withRisk, type ChangedPost } from '../events.ts';
import type { MediaImport } from '../media/begin-import.ts';
import { overridesByIds } from '../media/given-urls.ts';
import { reserveMedia } from '../media/reserve-media.ts';
import { stillAtRisk } from '../posts/at-risk.ts';
import { followQueue } from '../queues/follow-queue.ts';
import { keepQueueTargets } from '../queues/keep-queue-targets.ts';
import { placesOfPosts } from '../queues/places-of-posts.ts';
import { currentRisks } from '../posts/current-risks.ts';
import { checkRevision, isRepeat, withOperation } from '../posts/operations.ts';
import type { PostDocument } from '../posts/post.ts';
import { findContinuingPost } from '../posts/store/continuing-post.ts';
import { findPostEvenIfDeleted, replacePost } from '../posts/store/posts.ts';
import { toPost } from '../posts/to-post.ts';
import { withField } from '../posts/with-field.ts';
import { notedRisks } from '../risks/noted-risks.ts';
import { once } from '../series/repeating.ts';
import { checkNotPublishing, type Edit } from './rules/edit.ts';

/** The post to change, and the revisions that the caller has read. */
interface ChangeRequest {
  readonly operationId: string;
  readonly postId: string;
  readonly expectedRevisions: readonly number[];
  /** The fields that the request sets, if it has an update mask. */
  readonly updateMask?: readonly string[] | undefined;
  /** The overrides that the request sets. */
  readonly platformOverrides?: OverrideInput[];
  /** Whether it is permitted while the post is being published, because it changes nothing of what is sent. */
  readonly mayBePublishing?: boolean;
}

/**
 * Edits a post in one transaction, with its event. Concurrent edits and claims conflict on the post's revision: the first one to commit wins, and the
 * other is decided again on the changed post. A repeated operation gets the current post, even if it has changed since.
 * @param imported the media that were fetched for the edit
 * @returns the post as callers see it
 * @throws DomainError resource_not_found, precondition_failed, conflict while the post is being published, and what the edit throws
 */
export async function changePost(
  context: Context,
  metadata: CallMetadata,
  request: ChangeRequest,
  edit: Edit,
  imported?: Pick<MediaImport, 'complete'>,
): Promise<Post> {
  const { db } = context;
  const reservation = reserveMedia(context, metadata, { given: givenFields(request) });
  const {
    post: changed,
    risks,
    place,
  } = await reservation.commit(() =>
    context.transact(async (session) => {
      const { kind, post: before } = changeable(await findPostEvenIfDeleted(db, metadata, request.postId, session), request);
      if (kind === 'repeat') return { post: before, risks: await currentRisks(db, before), place: await placeOf(db, before, session) };
      const at = now(metadata.organizationId);
      const { post: decided, changes, place, endedSeries } = edit(before, at);
      const post = await keepQueueTargets(db, session, before, decided, request.updateMask ?? []);
      const edited = { ...released(stillAtRisk(withOperation(post, request.operationId))), revision: post.revision + 1, updated_at: at };
      const { post: after, risks: current, isNew } = await notedRisks(db, before, edited, place);
      reservation.check(before, after);
      await replacePost(db, before, after, session, { cause: metadata, changes });
      await imported?.complete(session);
      const placeBefore = after.deleted_at ? await placeOf(db, before, session) : undefined;
      await followQueue(db, session, before, after, place);
      const places = await emitPostsChanged(context, session, [
        {
          before,
          post: after,
          risks: after.deleted_at ? await currentRisks(db, before) : current,
          changes: withRisk(changes, isNew),
          placeBefore,
          cause: metadata,
        },
        ...(endedSeries === undefined ? [] : await endSeries(db, session, endedSeries, { at, cause: metadata })),
      ]);
      return { post: after, risks: current, place: places.get(after._id) };
    }, metadata.businessId),
  );
  const { next_due_at: due, organization_id: organizationId } = changed;
  if (due) for (const notify of context.afterSchedule) notify(realTime(organizationId, due));
  return toPost(changed, risks, place);
}

/**
 * Ends a series by its newest post, which stays scheduled. A claim of that post conflicts with this write, and the later one of both is decided again: so
 * either the claim creates no next post, or the next post ends the series. Does nothing if the series has ended.
 */
async function endSeries(
  db: Db,
  session: ClientSession,
  seriesId: string,
  { at, cause }: { readonly at: Date; readonly cause: CallMetadata },
): Promise<ChangedPost[]> {
  const before = await findContinuingPost(db, cause, seriesId, session);
  if (!before) return [];
  const edited = { ...stillAtRisk(once(before)), revision: before.revision + 1, updated_at: at };
  const { post, risks, isNew } = await notedRisks(db, before, edited);
  const changes = ['POST_CHANGE_UPDATED'] as const;
  await replacePost(db, before, post, session, { cause, changes });
  return [{ before, post, risks, changes: withRisk(changes, isNew), cause }];
}

/** A post is held until somebody has dealt with it. */
const released = (post: PostDocument): PostDocument => withField(post, 'is_held', undefined);

const placeOf = async (db: Db, post: PostDocument, session: ClientSession) => (await placesOfPosts(db, [post], session)).get(post._id);

/**
 * Checks that the request may change the post that was found.
 * @throws DomainError like `changePost`
 */
export function changeable(
  post: PostDocument | null,
  { operationId, expectedRevisions, mayBePublishing }: ChangeRequest,
): { readonly kind: 'repeat' | 'change'; readonly post: PostDocument } {
  if (post && isRepeat(post, operationId)) return { kind: 'repeat', post };
  if (!post || post.deleted_at) throw notFound('post');
  checkRevision(post, expectedRevisions);
  if (!mayBePublishing) checkNotPublishing(post);
  return { kind: 'change', post };
}

const givenFields = ({ updateMask = [], platformOverrides = [] }: ChangeRequest): string[] => [
  ...updateMask,
  ...overridesByIds({ platformOverrides }),
];
