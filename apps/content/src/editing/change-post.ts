import { notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { OverrideInput } from '@fanfare/contracts/content';
import type { Context } from '../context.ts';
import { emitPostsChanged } from '../events.ts';
import type { MediaImport } from '../media/begin-import.ts';
import { overridesByIds } from '../media/given-urls.ts';
import { reserveMedia } from '../media/reserve-media.ts';
import { stillAtRisk } from '../posts/at-risk.ts';
import { checkRevision, isRepeat, withOperation } from '../posts/operations.ts';
import type { PostDocument } from '../posts/post.ts';
import { findPostEvenIfDeleted, replacePost } from '../posts/store/posts.ts';
import { checkNotPublishing, type Edit } from './edit.ts';

/** The post to change, and the revisions that the caller has read. */
interface ChangeRequest {
  readonly operationId: string;
  readonly postId: string;
  readonly expectedRevisions: readonly number[];
  /** The fields that the request sets, if it has an update mask. */
  readonly updateMask?: readonly string[] | undefined;
  /** The overrides that the request sets. */
  readonly platformOverrides?: OverrideInput[];
}

/**
 * Edits a post in one transaction, with its event. Concurrent edits and claims conflict on the post's revision: the first one to commit wins, and the
 * other is decided again on the changed post. A repeated operation gets the current post, even if it has changed since.
 * @param imported the media that were fetched for the edit
 * @throws DomainError resource_not_found, precondition_failed, conflict while the post is being published, and what the edit throws
 */
export async function changePost(
  context: Context,
  metadata: CallMetadata,
  request: ChangeRequest,
  edit: Edit,
  imported?: Pick<MediaImport, 'settle'>,
): Promise<PostDocument> {
  const { db } = context;
  const reservation = reserveMedia(context, metadata, { given: givenFields(request) });
  const changed = await reservation.commit(() =>
    context.transact(async (session) => {
      const { kind, post: before } = changeable(await findPostEvenIfDeleted(db, metadata, request.postId, session), request);
      if (kind === 'repeat') return before;
      const at = now(metadata.organizationId);
      const { post, changes } = edit(before, at);
      const after = { ...stillAtRisk(withOperation(post, request.operationId)), revision: post.revision + 1, updated_at: at };
      reservation.check(before, after);
      await replacePost(db, before, after, session);
      await imported?.settle(session);
      await emitPostsChanged(context, session, [{ before, post: after, changes, cause: metadata }]);
      return after;
    }),
  );
  if (changed.next_due_at) for (const notify of context.afterSchedule) notify(changed.next_due_at);
  return changed;
}

/**
 * Checks that the request may change the post that was found.
 * @throws DomainError like `changePost`
 */
export function changeable(
  post: PostDocument | null,
  { operationId, expectedRevisions }: ChangeRequest,
): { readonly kind: 'repeat' | 'change'; readonly post: PostDocument } {
  if (post && isRepeat(post, operationId)) return { kind: 'repeat', post };
  if (!post || post.deleted_at) throw notFound('post');
  checkRevision(post, expectedRevisions);
  checkNotPublishing(post);
  return { kind: 'change', post };
}

const givenFields = ({ updateMask = [], platformOverrides = [] }: ChangeRequest): string[] => [
  ...updateMask,
  ...overridesByIds({ platformOverrides }),
];
