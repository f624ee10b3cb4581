import { leasedRows, raisedFence, type FencedWrite } from '@fanfare/leased-work';
import { recordEntries, type Recorded } from '@fanfare/ledger';
import { isDuplicateKey, literals } from '@fanfare/mongo';
import { aheadMs, currentTime } from '@fanfare/runtime';
import type { ClientSession, Db, Document } from 'mongodb';
import type { Change, DeliveryDocument, LeasedDelivery, NewDelivery, Waiting } from '../delivery.ts';
import { linksOf, subjectOf } from '../domain/delivery-chain.ts';
import { endEntry, restoredEntry, waitEntry, waitKey, type DeliveryEntry } from '../domain/delivery-entries.ts';
import { WAITING_FOR_PRIMARY } from '../domain/stage.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

export const deliveryRows = leasedRows<DeliveryDocument>({ of: deliveries, due: 'run_at', open: { open: true }, organizationTime: true });

/** Nothing looks deliveries up by their publication. */
export async function dropPublicationIndex(db: Db): Promise<void> {
  const former = (await deliveries(db).indexes()).find(({ name }) => name === 'publication_id_1');
  if (former) await deliveries(db).dropIndex('publication_id_1');
}

/** Constraints for an account on a platform, in however many businesses it is connected. Replaces the constraint per connection. */
export async function createAccountIndexes(db: Db): Promise<void> {
  const named = { $set: { account_id: { $first: '$integration.account_id' } } };
  const found = { from: 'integrations', localField: 'integration_id', foreignField: '_id', as: 'integration' };
  await deliveries(db)
    .aggregate([
      { $match: { account_id: { $exists: false }, status: { $ne: 'DELIVERY_STATUS_PENDING' } } },
      { $lookup: found },
      { $match: { 'integration.0': { $exists: true } } },
      named,
      { $project: { account_id: 1 } },
      { $merge: { into: 'deliveries', whenMatched: 'merge', whenNotMatched: 'discard' } },
    ])
    .toArray();
  // A post on a platform belongs to one delivery.
  await deliveries(db).createIndex(
    { platform: 1, account_id: 1, publish_id: 1 },
    { unique: true, partialFilterExpression: { account_id: { $exists: true }, publish_id: { $exists: true } } },
  );
  await deliveries(db).createIndex(
    { platform: 1, account_id: 1, 'commit.fingerprint': 1 },
    { partialFilterExpression: { 'commit.fingerprint': { $exists: true } } },
  );
  const former = (await deliveries(db).indexes()).filter(
    ({ key }) => 'integration_id' in key && ('publish_id' in key || 'commit.fingerprint' in key),
  );
  for (const { name } of former) if (name !== undefined) await deliveries(db).dropIndex(name);
}

/** Inserts deliveries, which are due unless they wait for the primary one. Rows that exist stay unchanged: the publication was requested before. @returns these */
export async function insertDeliveries(db: Db, documents: readonly NewDelivery[], session: ClientSession): Promise<DeliveryDocument[]> {
  if (documents.length === 0) return [];
  // A concurrent insert of one of them conflicts with this transaction.
  const known = await deliveries(db)
    .find({ _id: { $in: documents.map(({ _id }) => _id) } }, { session })
    .toArray();
  const ids = new Set(known.map(({ _id }) => _id));
  const fresh = [...new Map(documents.map((one) => [one._id, one])).values()].filter(({ _id }) => !ids.has(_id));
  if (fresh.length === 0) return known;
  const run_at = currentTime();
  const written = fresh.map((one) => {
    const { publication_id, due_at } = one;
    const requested = { kind: 'delivery_requested', details: { publication_id, due_at: due_at.toISOString() } };
    const waiting = one.stage === WAITING_FOR_PRIMARY ? [waitEntry('others', undefined, one.waiting?.message)] : [];
    const restored = one.restored ? [restoredEntry(one.restored.since)] : [];
    const { links, head } = linksOf(one, [requested, ...(one.open ? [...restored, ...waiting] : [endEntry(one)])]);
    const clock_ms = aheadMs(one.organization_id);
    // One that waits for the primary one has no time to run.
    const times = { ...(one.stage !== WAITING_FOR_PRIMARY && { run_at }), ...(clock_ms > 0 && { clock_ms }) };
    return {
      row: { ...one, ...times, released_fence: one.fence, ...(head && { ledger: head }) },
      recorded: { subject: subjectOf(one), links },
    };
  });
  await deliveries(db).insertMany(
    written.map(({ row }) => row as DeliveryDocument),
    { session },
  );
  await recordEntries(
    db,
    written.map(({ recorded }) => recorded),
    session,
  );
  return known;
}

/** Writes if the lease is still ours and returns the updated delivery. @throws LeaseLost */
export const saveDelivery = (db: Db, delivery: LeasedDelivery, change: Change): Promise<DeliveryDocument> =>
  deliveryRows.write(db, saving(delivery, change));

export const saving = (delivery: LeasedDelivery, change: Change): DeliveryWrite => writing(delivery, change, {});

/** A write that keeps the new entries of the timeline in the row. */
export interface DeliveryWrite extends FencedWrite {
  /** All entries that the ledger does not have yet. */
  readonly recorded: Recorded;
}

/** The same write for a transaction, which moves the entries to the ledger. */
export const movingEntries = (write: DeliveryWrite): FencedWrite =>
  write.recorded.links.length > 0 ? { ...write, pipeline: [...write.pipeline, { $unset: ['entries'] }] } : write;

/** A write of the unwritten changes, a change, and fields that are expressions. */
function writing(delivery: LeasedDelivery, change: Change, expressions: Document): DeliveryWrite {
  const { newEntries = [] } = delivery;
  const all = { ...delivery.unwritten, ...(newEntries.length > 0 && { told_wait: waitKey(newEntries.at(-1)) }), ...change };
  const { links: added, head } = linksOf(delivery, newEntries);
  const links = [...(delivery.entries ?? []), ...added];
  const timeline = added.length > 0 ? literals({ ledger: head, entries: links }) : {};
  const pipeline = [{ $set: { ...literals(all), ...timeline, ...expressions, updated_at: '$$NOW' } }, ...unsets(all)];
  return { row: delivery, pipeline, recorded: { subject: subjectOf(delivery), links } };
}

/**
 * For a write to a row that this process has not leased: whoever has the lease loses it. Adds an entry to the timeline, on the condition that no other was added
 * since the row was read.
 */
export function endingLease(
  row: DeliveryDocument,
  entry: DeliveryEntry,
  actor: string,
): { readonly isAsRead: Document; readonly pipeline: Document[] } {
  const { links, head } = linksOf(row, [entry], actor);
  const entries = { $concatArrays: [{ $ifNull: ['$entries', []] }, { $literal: links }] };
  return {
    isAsRead: { 'ledger.hash': row.ledger?.hash ?? null },
    pipeline: [
      { $set: { ...literals({ ledger: head }), entries, fence: raisedFence, released_fence: raisedFence, updated_at: '$$NOW' } },
      { $unset: ['told_wait'] },
    ],
  };
}

/** The delivery with more that happened, which the next write adds to the timeline. The same wait again, with nothing in between, gets no second entry. */
export function withEntries(delivery: LeasedDelivery, entries: readonly DeliveryEntry[] = []): LeasedDelivery {
  const recorded = delivery.newEntries ?? [];
  const isRepeat = recorded.length === 0 && delivery.told_wait !== undefined && waitKey(entries[0]) === delivery.told_wait;
  return entries.length > 0 && !isRepeat ? { ...delivery, newEntries: [...recorded, ...entries] } : delivery;
}

/** The delivery with a change that is stored with the next write: for changes that no other process has to see before. */
export function withUnwritten(delivery: LeasedDelivery, change: Change): LeasedDelivery {
  const changed = Object.fromEntries(Object.entries({ ...delivery, ...change }).filter(([, value]) => value !== undefined));
  return { ...(changed as unknown as LeasedDelivery), unwritten: { ...delivery.unwritten, ...change } };
}

/** The delivery with the result of a step, unwritten. */
export function withStep(delivery: LeasedDelivery, name: string, outcome: string): LeasedDelivery {
  const runs = (delivery.steps?.[name]?.runs ?? 0) + 1;
  return withUnwritten(delivery, { steps: { ...delivery.steps, [name]: { outcome, runs, ended_at: currentTime() } } });
}

/**
 * Releases the lease with a time to continue: `inMs` from now by the organization's clock, or `inRealMs`, or a point in real time. `waiting` is reported to callers until then; without it, the
 * last report stays. With `settlesCommit`, the commit's settle time also ends then.
 */
export function releasing(
  delivery: LeasedDelivery,
  until: { readonly inMs: number } | { readonly inRealMs: number } | { readonly at: Date },
  {
    change,
    waiting,
    settlesCommit,
  }: { readonly change: Change; readonly waiting?: Waiting | undefined; readonly settlesCommit?: true | undefined },
): DeliveryWrite {
  const ms = aheadMs(delivery.organization_id);
  const inMs = (real: number) => ({ $add: ['$$NOW', Math.round(real)] });
  const run_at = 'at' in until ? { $literal: until.at } : inMs('inMs' in until ? until.inMs + ms : until.inRealMs);
  const isReal = !('inMs' in until);
  return writing(delivery, change, {
    run_at,
    ...(isReal && { real_due: run_at }),
    fence: raisedFence,
    released_fence: raisedFence,
    ...(waiting && { waiting: reportedWait(waiting, isReal && ms > 0 ? { $add: [run_at, ms] } : run_at) }),
    ...(settlesCommit && { 'commit.settled_at': run_at }),
  });
}

/** Releases the lease without a time to continue: another delivery of the publication sets it. */
export const releasingUntilOthers = (delivery: LeasedDelivery, change: Change = {}): DeliveryWrite =>
  writing(delivery, { ...change, run_at: undefined }, { fence: raisedFence, released_fence: raisedFence });

function reportedWait({ isEndKnown, ...waiting }: Waiting, run_at: Document): Document {
  return { $mergeObjects: [{ $literal: waiting }, ...(isEndKnown ? [{ until: run_at }] : [])] };
}

/** Stores that the commit begins now. Its times are the database's. @throws LeaseLost */
export async function beginCommit(
  db: Db,
  delivery: LeasedDelivery,
  commit: { timeoutMs: number; settleMs: number; fingerprint: string },
): Promise<DeliveryDocument> {
  const { timeoutMs, settleMs, fingerprint } = commit;
  const begun = {
    began_at: '$$NOW',
    ahead_ms: { $literal: aheadMs(delivery.organization_id) },
    deadline_at: { $add: ['$$NOW', Math.round(timeoutMs)] },
    settled_at: { $add: ['$$NOW', Math.round(timeoutMs + settleMs)] },
    fingerprint: { $literal: fingerprint },
    finds: 0,
    failed_reads: 0,
  };
  return deliveryRows.write(db, writing(delivery, {}, { attempts: { $add: ['$attempts', 1] }, commit: begun }));
}

/** Whether a write failed because the post on the platform belongs to another delivery. */
export const isPublishIdTaken = (error: unknown): boolean => isDuplicateKey(error, 'publish_id');

function unsets(change: Change): { $unset: string[] }[] {
  const names = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return names.length > 0 ? [{ $unset: names }] : [];
}
