import { startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import type { FanOutRow, FanOutRows } from './store/fan-out-rows.ts';

const SIZE = 4;
const MOST_OF_ORGANIZATION = 2;
const LEASE_MS = 30_000;
/** How often a replica looks for changes of others, which may have died. For those that it writes itself it is woken. */
const IDLE_MS = 5_000;
const BATCH = 100;
/** About three days, because the library or the database may be unavailable. */
const ATTEMPTS = 100;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 3_600_000;

/** Writes changes to the posts that show what has changed, batch by batch. Updating a post a second time with the same change must change nothing. */
export function startFanOut<Row extends FanOutRow>(
  { db, log }: Pick<Context, 'db' | 'log'>,
  options: {
    readonly name: string;
    readonly rows: FanOutRows<Row>;
    /** Posts to update, in the order of their ids. */
    readonly findPosts: (row: Row, afterId: string, limit: number) => Promise<string[]>;
    readonly updatePost: (row: Row, postId: string) => Promise<void>;
  },
): Worker {
  const { name, rows, findPosts, updatePost } = options;

  const nextPosts = (row: Row) => findPosts(row, row.told_to ?? '', BATCH);

  async function updatePosts({ row, signal }: Lease<Row>): Promise<void> {
    const ids = await nextPosts(row);
    const failures: { readonly id: string; readonly error: unknown }[] = [];
    for (const id of ids) {
      signal.throwIfAborted();
      await updatePost(row, id).catch((error: unknown) => failures.push({ id, error }));
    }
    if (failures.length === 0) return goOn(row, ids);
    const failed = failures.map(({ id }) => id).join(', ');
    throw new Error(`These posts could not be updated: ${failed}`, { cause: failures[0]?.error });
  }

  async function goOn(row: Row, updated: readonly string[]): Promise<void> {
    const last = updated.at(-1);
    if (last !== undefined && updated.length === BATCH) await rows.noteProgress(db, row, last);
    else await rows.complete(db, row);
  }

  return startWorker<Row>({
    name,
    db,
    log,
    rows,
    size: SIZE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    fair: { by: 'organization_id', most: MOST_OF_ORGANIZATION },
    idsOf: ({ _id, organization_id, business_id }) => ({ changed_id: _id, organization_id, business_id }),
    work: updatePosts,
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: FIRST_DELAY_MS,
      maxDelayMs: MAX_DELAY_MS,
      passes: () => true,
      async giveUp({ row, log: ofRow }, error) {
        ofRow.error({ err: error, work: name }, 'posts are left as they are; continuing with the next ones');
        await goOn(row, await nextPosts(row));
      },
    },
  });
}
