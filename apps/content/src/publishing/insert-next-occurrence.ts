import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { nextOccurrence } from '../domain/next-occurrence.ts';
import { createdAs, emitPostChanged, type Cause } from '../events.ts';
import { insertPostOnce, type PostDocument } from '../store/posts.ts';

/** Creates the post that follows in the series of one that is claimed now, unless it is there already. */
export async function insertNextOccurrence(
  context: Context,
  session: ClientSession,
  claimed: PostDocument,
  dueAt: Date,
  now: Date,
  cause: Cause,
): Promise<void> {
  const next = nextOccurrence(claimed, dueAt, now);
  if (!next || !(await insertPostOnce(context.db, next, session))) return;
  await emitPostChanged(context, session, next, createdAs(next), cause);
}
