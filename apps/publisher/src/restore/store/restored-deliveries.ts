import { currentTime } from '@fanfare/runtime';
import type { Db, Filter } from 'mongodb';
import type { CommitDocument, DeliveryDocument } from '../../deliveries/delivery.ts';
import { restoredEntry } from '../../deliveries/domain/delivery-entries.ts';
import { endingLease } from '../../deliveries/store/deliveries.ts';
import { IS_DUE } from '../../deliveries/store/due-deliveries.ts';
import { LOST_REVISIONS, type Restored } from '../domain/restored.ts';
import type { RestoreFenceDocument } from './restore-fence.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');
const CHECKING: Filter<DeliveryDocument> = { open: true, 'restored.result': 'checking' };

export async function createRestoredIndexes(db: Db): Promise<void> {
  await deliveries(db).createIndex(
    { 'restored.result': 1, open: 1, 'restored.since': 1 },
    { name: 'restored', partialFilterExpression: { 'restored.since': { $exists: true } } },
  );
}

/**
 * As if the response to a commit had been lost that began with the backup: nothing is sent until the platform was read. The fingerprint is added when the content is loaded;
 * until then it is empty.
 */
const commitSince = (since: Date): CommitDocument => {
  const at = currentTime();
  return { began_at: since, deadline_at: at, settled_at: at, fingerprint: '', finds: 0, failed_reads: 0 };
};

/** What a new delivery gets if its post may have been sent before the restoration; nothing for others. */
export function restoredBy(
  fence: RestoreFenceDocument | null,
  delivery: Pick<DeliveryDocument, 'due_at' | 'open' | 'revision'>,
): Partial<Pick<DeliveryDocument, 'restored' | 'commit' | 'revision'>> {
  if (!fence || !delivery.open || delivery.due_at > fence.until) return {};
  const { since } = fence;
  return { restored: { since, result: 'checking' }, commit: commitSince(since), revision: delivery.revision + LOST_REVISIONS };
}

/**
 * Marks all deliveries that had not ended and were due until the restoration, each once. A process that works on one of them loses its lease. A delivery that had published its
 * post already is `found`.
 */
export async function markRestored(db: Db, { since, until }: RestoreFenceDocument, actor: string): Promise<void> {
  const where = { open: true, due_at: { $lte: until }, 'restored.since': { $ne: since } };
  const begun = { $min: ['$commit.began_at', since] };
  const common = { revision: { $add: ['$revision', LOST_REVISIONS] }, run_at: '$$NOW' };
  const restored = (result: Restored['result']) => ({ $literal: { since, result } });
  const checking = { restored: restored('checking'), commit: { $mergeObjects: [{ $literal: commitSince(since) }, { began_at: begun }] } };
  // A row that a process has written meanwhile is marked by the next round.
  for (;;) {
    const rows = await deliveries(db).find(where).limit(MOST_MARKED).toArray();
    if (rows.length === 0) return;
    const writes = rows.map((row) => {
      const { isAsRead, pipeline } = endingLease(row, restoredEntry(since), actor);
      const isPublished = row.published_at !== undefined;
      const filter = { $and: [where, isAsRead, { published_at: { $exists: isPublished } }], _id: row._id };
      return {
        updateOne: {
          filter,
          update: [{ $set: { ...common, ...(isPublished ? { restored: restored('found') } : checking) } }, ...pipeline],
        },
      };
    });
    await deliveries(db).bulkWrite(writes, { ordered: false });
  }
}

/** So many rows are read and marked together. */
const MOST_MARKED = 500;

/**
 * Some of those that are to be reconciled, or whose post was found and that are to be completed, and due, the longest due first. Neither publishes anything.
 */
export async function findDueRestored(db: Db, limit: number): Promise<string[]> {
  // To MongoDB, 0 is no limit.
  if (limit === 0) return [];
  const found = await deliveries(db)
    .find(
      { open: true, 'restored.result': { $in: ['checking', 'found'] }, 'restored.since': { $exists: true }, ...IS_DUE },
      { projection: { _id: 1 } },
    )
    .sort({ run_at: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Whether a delivery to the same account has no fingerprint yet: a post that is found could be its post. */
export async function hasUnprepared(db: Db, { _id, integration_id }: DeliveryDocument): Promise<boolean> {
  const other = await deliveries(db).findOne(
    { ...CHECKING, integration_id, 'commit.fingerprint': '', _id: { $ne: _id } },
    { projection: { _id: 1 } },
  );
  return other !== null;
}

export type RestoredCounts = Readonly<Record<'checking' | 'found' | 'absent' | 'unknown', number>>;

export async function countRestored(db: Db, since: Date): Promise<RestoredCounts> {
  const groups = await deliveries(db)
    .aggregate<{ _id: { result: Restored['result']; open: boolean }; count: number }>([
      { $match: { 'restored.since': since } },
      { $group: { _id: { result: '$restored.result', open: '$open' }, count: { $sum: 1 } } },
    ])
    .toArray();
  const sum = (is: (group: { result: Restored['result']; open: boolean }) => boolean) =>
    groups.reduce((total, { _id, count }) => total + (is(_id) ? count : 0), 0);
  return {
    checking: sum(({ result, open }) => result === 'checking' && open),
    found: sum(({ result }) => result === 'found'),
    absent: sum(({ result }) => result === 'absent'),
    unknown: sum(({ result, open }) => result === 'checking' && !open),
  };
}
