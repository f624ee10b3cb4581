import type { SetClosureRequest } from '@fanfare/contracts/erasure';
import { setClosure as set } from '@fanfare/erasure';
import { currentTime, type Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { unparkPosts } from '../posts/store/parked-posts.ts';

/** Returns when no process claims posts of what is closed any more, or when all posts that became due meanwhile are due again. */
export async function setClosure(
  context: Pick<Context, 'db' | 'closed' | 'afterSchedule'>,
  request: SetClosureRequest,
  log: Logger,
): Promise<void> {
  const isOpened = await set(context, request, log, (scope, limit) => unparkPosts(context.db, scope, limit));
  if (isOpened) for (const notify of context.afterSchedule) notify(currentTime());
}
