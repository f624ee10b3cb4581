import { LeaseLost, type FencedWrite } from '@fanfare/leased-work';
import { allOrEach, grouped } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitPostSnapshots } from '../events.ts';
import { postRows, type PostDocument, type SnapshotDocument } from '../posts/store/posts.ts';

/** The write of a post: its snapshot, if one was taken, and the time of the next. */
export interface PostWrite extends FencedWrite {
  readonly row: PostDocument;
  readonly snapshot?: SnapshotDocument | undefined;
}

const MOST_TOGETHER = 64;

/**
 * Writes posts with the events of their snapshots. Writes that arrive during a transaction go into the next one together: a transaction of its own for each
 * snapshot would take four round trips.
 */
export const createPostWriter = (context: Context): ((write: PostWrite) => Promise<void>) =>
  grouped<PostWrite, void>({
    most: MOST_TOGETHER,
    keyOf: ({ row }) => row._id,
    work: allOrEach(
      (writes) => inTransaction(context, writes),
      (error) => error instanceof LeaseLost,
    ),
  });

const inTransaction = (context: Context, writes: readonly PostWrite[]): Promise<void[]> =>
  context.transact(async (session) => {
    await postRows.writeAll(context.db, writes, session);
    const taken = writes.flatMap(({ row, snapshot }) => (snapshot ? [{ post: row, snapshot }] : []));
    await emitPostSnapshots(context.db, session, taken);
    return writes.map(() => undefined);
  });
