import { isDuplicateKey } from '@fanfare/mongo';
import { grouped, onePer } from '@fanfare/runtime';
import { MongoError } from 'mongodb';
import type { Context } from '../context.ts';
import { emitPostsChanged, type ChangedPost } from '../events.ts';
import type { MediaImport } from '../media/begin-import.ts';
import { followQueue } from '../queues/follow-queue.ts';
import { insertPosts } from '../posts/store/posts.ts';

/** A new post, with what its event reports. */
interface NewPost extends ChangedPost {
  /** The media that were fetched for it. */
  readonly imported: Pick<MediaImport, 'complete'>;
}

const MOST_TOGETHER = 25;

/**
 * Commits a new post with its event. Posts that are created while a commit is running are committed together: a transaction of several posts costs
 * little more than one of a single post.
 * @throws Error for which `isDuplicatePost` is true if the post exists already, and what completing its import and the database throw
 */
export const commitNewPost = (context: Context, one: NewPost): Promise<void> => committer(context)(one);

const committer = onePer((context: Context) =>
  grouped<NewPost, void>({ most: MOST_TOGETHER, keyOf: ({ post }) => post._id, work: (all) => together(context, all) }),
);

async function together(context: Context, all: readonly NewPost[]): Promise<PromiseSettledResult<void>[]> {
  try {
    await inTransaction(context, all);
    return all.map(() => ({ status: 'fulfilled', value: undefined }));
  } catch (error) {
    if (all.length === 1) throw error;
    if (error instanceof MongoError && !isDuplicateKey(error)) throw error;
    // If one of them cannot be written, the others still must be.
    return Promise.allSettled(all.map((one) => inTransaction(context, [one])));
  }
}

const inTransaction = (context: Context, all: readonly NewPost[]): Promise<void> =>
  context.transact(async (session) => {
    await insertPosts(context.db, all, session);
    for (const one of all) await one.imported.complete(session);
    for (const { post } of all) await followQueue(context.db, session, undefined, post);
    await emitPostsChanged(context, session, all);
  });
