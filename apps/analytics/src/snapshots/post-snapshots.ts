import type { PlatformPost } from '@fanfare/connectors';
import { startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import { now } from '@fanfare/runtime';
import type { Document } from 'mongodb';
import { findAccount } from '../accounts/store/accounts.ts';
import type { Context } from '../context.ts';
import { rulesOf } from '../live/rules-of.ts';
import { snapshotsTaken } from '../metrics.ts';
import { positionOf } from '../position.ts';
import { ageAfter, ageDue, hoursBetween, plannedAt } from '../posts/ages.ts';
import { engagementsOf, rateOf } from '../posts/engagement.ts';
import { dueBeside, postRows, type PostDocument, type SnapshotDocument } from '../posts/store/posts.ts';
import { quotaWaitMs, retrySettings } from './failures.ts';
import { isReadable } from './is-readable.ts';
import { createPostReader } from './read-together.ts';
import { createPostWriter, type PostWrite } from './store-together.ts';

const LEASE_MS = 30_000;
const IDLE_MS = 2_000;
/** After this many reads in a row that do not find a post, it counts as deleted. */
const MOST_ABSENT = 2;

/** Stores the statistics of published posts at each of their ages. */
export function startPostSnapshots(context: Context): Worker {
  const { config, db, log } = context;
  const { timeScale, snapshotsAtOnce } = config;
  const tools: Tools = { ...context, readPost: createPostReader(context), write: createPostWriter(context) };
  return startWorker<PostDocument>({
    name: 'post-snapshots',
    db,
    log,
    rows: postRows,
    size: snapshotsAtOnce,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS * timeScale,
    idsOf: ({ _id, post_id, integration_id, platform }) => ({ delivery_id: _id, post_id, integration_id, platform }),
    async take(_inWork, room) {
      const nextInMs = await postRows.nextInMs(db);
      const row = nextInMs !== undefined && nextInMs <= 0 ? await postRows.leaseDue(db, LEASE_MS) : undefined;
      if (!row) return Math.min(IDLE_MS * timeScale, Math.max(5, nextInMs ?? IDLE_MS));
      if (room === 1) return row;
      return [row, ...(await postRows.leaseThese(db, await dueBeside(db, row, room - 1), LEASE_MS))];
    },
    work: (lease) => takeSnapshot(tools, lease),
    retry: {
      ...retrySettings(timeScale),
      async giveUp({ row, log }, error) {
        log.warn({ err: error, age_hours: row.next_age }, 'gave up a snapshot of a post');
        await advance(tools, row, ageOf(tools, row), [], 'failed');
      },
    },
  });
}

/** Reads and writes posts in batches. */
interface Tools extends Context {
  readPost(row: PostDocument): Promise<PlatformPost | undefined>;
  write(write: PostWrite): Promise<void>;
}

async function takeSnapshot(tools: Tools, { row, log }: Lease<PostDocument>): Promise<void> {
  const { config, db, readPost } = tools;
  const age = ageOf(tools, row);
  const account = await findAccount(db, row.integration_id);
  const isSkipped = !account || !isReadable(account, config) || rulesOf(row.platform).hasNoPostStatistics || row.publish_id === undefined;
  if (isSkipped) return advance(tools, row, age, [], 'skipped');
  let post: PlatformPost | undefined;
  try {
    post = await readPost(row);
  } catch (error) {
    const waitMs = quotaWaitMs(error);
    if (waitMs === undefined) throw error;
    // Does not count as an attempt: the post did not cause this.
    const inMs = waitMs * (1 + Math.random() / 10);
    log.info({ wait_ms: inMs }, 'a snapshot waits for the read quota');
    return postRows.postpone(db, row, inMs, [{ $set: { attempts: 0 } }]);
  }
  if (!post) {
    const absent = (row.absent ?? 0) + 1;
    return advance(tools, row, absent >= MOST_ABSENT ? Infinity : age, [{ $set: { absent } }], 'absent');
  }
  // Nothing but the reason why there are none, such as a missing permission.
  if (post.unavailable !== undefined && Object.values(post.stats).every((value) => value === null))
    return advance(tools, row, age, [], 'skipped');
  const takenAt = now(row.organization_id);
  const snapshot: SnapshotDocument = { age_hours: age, taken_at: takenAt, numbers: post.stats };
  const engagements = engagementsOf(post.stats);
  const hours = hoursBetween(row.published_at ?? takenAt, takenAt) / config.timeScale;
  const latest = { ...snapshot, age: hours, engagements, engagement_rate: rateOf(post.stats) };
  const change = [
    {
      $set: {
        latest: { $literal: latest },
        snapshots: { $concatArrays: [{ $ifNull: ['$snapshots', []] }, [{ $literal: snapshot }]] },
        absent: 0,
        ...(age === 24 && { engagements_24h: { $literal: engagements } }),
      },
    },
  ];
  await advance(tools, row, age, change, 'taken', snapshot);
}

/** Schedules the next snapshot in the same write that stores this one. */
async function advance(
  { config, write }: Tools,
  row: PostDocument,
  age: number,
  change: readonly Document[],
  outcome: string,
  snapshot?: SnapshotDocument,
): Promise<void> {
  const next = ageAfter(age);
  const plan =
    next === undefined || !row.published_at
      ? [{ $unset: ['snapshot_at', 'next_age'] }]
      : [{ $set: { snapshot_at: plannedAt(row.published_at, next, positionOf(row._id), config.timeScale), next_age: next } }];
  const pipeline = [...change, { $set: { attempts: 0 } }, ...plan];
  await write({ row, pipeline, snapshot });
  snapshotsTaken.inc({ of: 'post', platform: row.platform, outcome });
}

const ageOf = ({ config }: Context, { next_age = 1, organization_id, published_at }: PostDocument): number =>
  published_at ? ageDue(next_age, hoursBetween(published_at, now(organization_id)) / config.timeScale) : next_age;
