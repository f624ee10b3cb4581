import { isClosed, lockClosed } from '@fanfare/erasure';
import type { Context } from '../context.ts';
import { parkPosts } from '../posts/store/parked-posts.ts';
import type { DuePost } from '../posts/store/posts.ts';

/**
 * Parks due posts whose business is closed, because it or its organization is being deleted. They become due again when it is opened.
 * @returns the others, which can be claimed
 */
export async function parkClosed(context: Context, due: readonly DuePost[]): Promise<readonly DuePost[]> {
  const known = await context.closed();
  const { closed = [], open = [] } = Object.groupBy(due, (post) => (isClosed(known, post) ? 'closed' : 'open'));
  if (closed.length === 0) return due;
  const opened = await context.transact(async (session) => {
    // Locked, because whoever opens it lets the parked posts be due again: none may be parked after that.
    const now = await lockClosed(context.db, closed, session);
    const parked = closed.filter((post) => isClosed(now, post));
    await parkPosts(context.db, parked, session);
    return closed.filter((post) => !parked.includes(post));
  });
  if (opened.length > 0) context.closed.forget();
  return [...open, ...opened];
}
