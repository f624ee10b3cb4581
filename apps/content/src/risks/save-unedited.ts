import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { emitPostsChanged } from '../events.ts';
import type { PostDocument } from '../posts/post.ts';
import { replacePost } from '../posts/store/posts.ts';
import { notedRisks } from './noted-risks.ts';

/** Saves a post that nobody has edited, if it has changed, and reports risks that are new. Its revision stays the same. */
export async function saveUnedited(
  context: Pick<Context, 'db'>,
  session: ClientSession,
  before: PostDocument,
  changed: PostDocument,
  flowId: string,
): Promise<void> {
  const { post, risks, isNew } = await notedRisks(context.db, before, changed);
  if (post === before) return;
  await replacePost(context.db, before, post, session, {});
  if (!isNew) return;
  const cause = { flowId, actor: 'system:content' };
  await emitPostsChanged(context, session, [{ before, post, risks, changes: ['POST_CHANGE_AT_RISK'], cause }]);
}
