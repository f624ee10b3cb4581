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

/** Who changes which post, and what they have seen of it. */
interface ChangeRequest {
  readonly operationId: string;
  readonly postId: string;
  readonly expectedRevisions: readonly number[];
  /** The fields that the request gives, where it says so. */
  readonly updateMask?: readonly string[] | undefined;
  /** Those that it gives, where it gives some. */
  readonly platformOverrides?: OverrideInput[];
}

/**
 * Edits a post in one transaction, event included. Edits and claims meet on the post's revision: one of them wins, and the other finds the
 * post as the winner left it. A repeat of an operation gets the post as it is now, whatever came after it.
 * @param imported what was fetched for the edit
 * @throws DomainError resource_not_found, precondition_failed, conflict while it is being sent, and what the edit throws
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
  if (changed.next_due_at) for (const tell of context.afterSchedule) tell(changed.next_due_at);
  return changed;
}

/**
 * Whether the request may change the post, as it was found.
 * @throws DomainError as `changePost`
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
