import { currentMs, type Loop, startLoop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { dueClaimsFailed } from '../metrics.ts';
import { findRound, type Due, type DueFinder } from './find-round.ts';

/** How often a replica looks for what another replica may have scheduled. A poll is one index seek. */
const IDLE_MS = 1_000;
/** The most that one transaction claims. It holds several copies in memory, and a larger one conflicts with more edits. */
const MOST_TOGETHER = 25;
const MOST_BYTES = 4 << 20;
const CONCURRENCY = 2;
const LEAST_WAIT_MS = 5;
/** The delay before a failed claim is retried; the others do not wait for it. */
const RETRY_MS = 1_000;

interface ClaimLoop extends Loop {
  /** Something is due at this real time. Times further ahead are found by polling. */
  expect(dueAt: Date): void;
}

/** What is claimed when it is due: posts, or slots of queues. */
interface Claimed<Row extends Due> {
  readonly name: string;
  /** For log lines. */
  readonly what: string;
  readonly idsOf: (row: Row) => Readonly<Record<string, string>>;
  readonly findDue: DueFinder<Row>;
  /** The next due time, in real time, even if it is in the past. */
  readonly findNextDueAt: (exceptIds: readonly string[]) => Promise<Date | undefined>;
  /** Claims all of them, or none. What is no longer due is left out. */
  readonly claim: (rows: readonly Row[]) => Promise<void>;
}

/** Claims what is due, in rounds. Any number of replicas may run it: the claim is a compare-and-set. */
export function startClaimLoop<Row extends Due>(context: Context, claimed: Claimed<Row>): ClaimLoop {
  const { log } = context;
  const { name, what, idsOf, findDue, findNextDueAt, claim } = claimed;
  /** What could not be claimed, and when to retry it. */
  const failed = new Map<string, number>();
  const loop = startLoop({
    name,
    log,
    async run() {
      const now = performance.now();
      for (const [id, retryAt] of failed) if (retryAt <= now) failed.delete(id);
      const except = [...failed.keys()];
      const waitMs = await untilNextDue(except);
      if (waitMs > 0) return waitMs;
      const round = await findRound(findDue, except);
      // This process's clock is ahead of the database's by the latency of a response.
      if (round.length === 0) return LEAST_WAIT_MS;
      const failing = await claimRound(round);
      for (const { _id } of failing) failed.set(_id, performance.now() + RETRY_MS);
      if (failing.length > 1 && failing.length === round.length) throw new Error(`None of ${round.length} ${what} could be claimed.`);
      return 0;
    },
  });

  /** Returns those that could not be claimed. */
  async function claimRound(round: readonly Row[]): Promise<Row[]> {
    const waiting = together(round);
    const notClaimed: Row[] = [];
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (let rows = waiting.shift(); rows; rows = waiting.shift()) notClaimed.push(...(await claimAll(rows)));
      }),
    );
    return notClaimed;
  }

  /** One that cannot be claimed must not delay the others: if they cannot be claimed together, each is claimed by itself. @returns those that were not */
  async function claimAll(rows: readonly Row[]): Promise<Row[]> {
    try {
      await claim(rows);
      return [];
    } catch (error) {
      if (rows.length > 1) {
        log.info({ err: error, count: rows.length }, `could not claim ${what} in one transaction; claiming them one by one`);
        const notClaimed: Row[] = [];
        for (const one of rows) notClaimed.push(...(await claimAll([one])));
        return notClaimed;
      }
      dueClaimsFailed.inc();
      const ids = rows[0] && { ...idsOf(rows[0]), organization_id: rows[0].organization_id };
      log.error({ err: error, ...ids }, `could not claim one of the ${what}; retrying`);
      return [...rows];
    }
  }

  /** 0 if something is due. While nothing is, this is the only query. */
  async function untilNextDue(except: readonly string[]): Promise<number> {
    const next = await findNextDueAt(except);
    return next ? Math.min(IDLE_MS, Math.max(0, next.getTime() - currentMs())) : IDLE_MS;
  }

  return {
    ...loop,
    expect(dueAt) {
      if (dueAt.getTime() - currentMs() < IDLE_MS) loop.wake();
    },
  };
}

/** The earlier one of two times. */
export const firstOf = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one < other ? one : other) : (one ?? other);

function together<Row extends Due>(round: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let total = 0;
  for (const row of round) {
    const bytes = row.bytes ?? 0;
    const group = groups.at(-1);
    const fits = group && group.length < MOST_TOGETHER && total + bytes <= MOST_BYTES;
    if (fits) group.push(row);
    else groups.push([row]);
    total = fits ? total + bytes : bytes;
  }
  return groups;
}
