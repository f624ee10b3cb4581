import { notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { OverrideInput, Post } from '@fanfare/contracts/content';
import type { Context } from '../context.ts';
import { stillAtRisk } from '../posts/at-risk.ts';
import { checkNotBeingSent, type Edit } from './edit.ts';
import { overridesByIds } from '../media/given-urls.ts';
import { checkRevision, isRepeat, withOperation } from '../posts/operations.ts';
import { emitPostsChanged } from '../events.ts';
import { holdMedia } from '../media/hold-media.ts';
import { findPostEvenIfDeleted, replacePost } from '../posts/store/posts.ts';
import type { PostDocument } from '../posts/post.ts';
import { showPost } from '../posts/show-post.ts';

/** Who changes which post, and what they have seen of it. */
export interface ChangeRequest {
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
 * post as the winner left it. A repeat of an operation is answered with the post as it is now, whatever came after it.
 * @param settle what else the transaction writes
 * @throws DomainError resource_not_found, precondition_failed, conflict while it is being sent, and what the edit throws
 */
export async function changePost(
  context: Context,
  metadata: CallMetadata,
  request: ChangeRequest,
  edit: Edit,
  settle?: (session: ClientSession) => Promise<void>,
): Promise<{ post: Post }> {
  const { operationId, postId } = request;
  const changed = await holdMedia(
    context,
    metadata,
    (held) =>
      context.transact(async (session) => {
        const found = await findPostEvenIfDeleted(context.db, metadata, postId, session);
        const before = changeable(found, request);
        if (before.kind === 'repeat') return before.post;
        const at = now(metadata.organizationId);
        const { post, changes } = edit(before.post, at);
        const after = { ...stillAtRisk(withOperation(post, operationId)), revision: post.revision + 1, updated_at: at };
        held.check(before.post, after);
        await replacePost(context.db, before.post, after, session);
        await settle?.(session);
        await emitPostsChanged(context, session, [{ before: before.post, post: after, changes, cause: metadata }]);
        return after;
      }),
    { given: [...(request.updateMask ?? []), ...overridesByIds({ platformOverrides: request.platformOverrides ?? [] })] },
  );
  if (changed.next_due_at) for (const tell of context.afterSchedule) tell(changed.next_due_at);
  return { post: await showPost(context.db, changed) };
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
  checkNotBeingSent(post);
  return { kind: 'change', post };
}
