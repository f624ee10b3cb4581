import { currentMs, type Loop, startLoop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { dueClaimsFailed } from '../metrics.ts';
import { findNextDueAt, type DuePost } from '../posts/store/posts.ts';
import { claimDuePosts } from './claim-due-posts.ts';
import { findRound } from './find-round.ts';

/** How often a replica looks for due posts that another replica may have scheduled. A poll is one index seek. */
const IDLE_MS = 1_000;
/** The most posts that one transaction claims. It holds several copies in memory, and a larger one conflicts with more edits. */
const MOST_TOGETHER = 25;
const MOST_BYTES = 4 << 20;
const CONCURRENCY = 2;
/** The delay before a failed claim is retried; the other posts do not wait for it. */
const RETRY_MS = 1_000;

interface DueLoop extends Loop {
  /** A post was scheduled. Times further ahead are found by polling. */
  expect(dueAt: Date): void;
}

/** Claims due posts. Any number of replicas may run it: the claim is a compare-and-set. */
export function startDueLoop(context: Context): DueLoop {
  /** Posts that could not be claimed, and when to retry them. */
  const failed = new Map<string, number>();
  const loop = startLoop({
    name: 'due-posts',
    log: context.log,
    async run() {
      const now = performance.now();
      for (const [id, retryAt] of failed) if (retryAt <= now) failed.delete(id);
      const except = [...failed.keys()];
      const round = await findRound(context.db, except);
      if (round.length === 0) return untilNextDue(context, except);
      const failing = await claimRound(context, round);
      for (const { _id } of failing) failed.set(_id, performance.now() + RETRY_MS);
      if (failing.length > 1 && failing.length === round.length) throw new Error(`None of ${round.length} due posts could be claimed.`);
      return 0;
    },
  });
  return {
    ...loop,
    expect(dueAt) {
      if (dueAt.getTime() - currentMs() < IDLE_MS) loop.wake();
    },
  };
}

/** Returns those that could not be claimed. */
async function claimRound(context: Context, round: readonly DuePost[]): Promise<DuePost[]> {
  const waiting = together(round);
  const failed: DuePost[] = [];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let posts = waiting.shift(); posts; posts = waiting.shift()) failed.push(...(await claimAll(context, posts)));
    }),
  );
  return failed;
}

/** A post that cannot be claimed must not delay the others: if they cannot be claimed together, each is claimed by itself. @returns those that were not */
async function claimAll(context: Context, posts: readonly DuePost[]): Promise<DuePost[]> {
  try {
    await claimDuePosts(context, posts);
    return [];
  } catch (error) {
    if (posts.length > 1) {
      context.log.info({ err: error, posts: posts.length }, 'could not claim due posts in one transaction; claiming them one by one');
      const failed: DuePost[] = [];
      for (const one of posts) failed.push(...(await claimAll(context, [one])));
      return failed;
    }
    dueClaimsFailed.inc();
    context.log.error({ err: error, post_id: posts[0]?._id }, 'could not claim a due post; retrying');
    return [...posts];
  }
}

function together(round: readonly DuePost[]): DuePost[][] {
  const groups: DuePost[][] = [];
  let bytes = 0;
  for (const post of round) {
    const group = groups.at(-1);
    const fits = group && group.length < MOST_TOGETHER && bytes + post.bytes <= MOST_BYTES;
    if (fits) group.push(post);
    else groups.push([post]);
    bytes = fits ? bytes + post.bytes : post.bytes;
  }
  return groups;
}

async function untilNextDue(context: Context, except: readonly string[]): Promise<number> {
  const next = await findNextDueAt(context.db, except);
  return next ? Math.min(IDLE_MS, Math.max(5, next.getTime() - currentMs())) : IDLE_MS;
}
