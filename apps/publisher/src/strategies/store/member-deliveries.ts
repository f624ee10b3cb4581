import { raisedFence } from '@fanfare/leased-work';
import { recordEntries } from '@fanfare/ledger';
import { aheadMs } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import { endEntry, waitEntry, type DeliveryEntry } from '../../deliveries/domain/delivery-entries.ts';
import type { ErrorType } from '../../deliveries/domain/error-type.ts';
import type { Change, DeliveryDocument } from '../../deliveries/delivery.ts';
import { movingEntries, saving, withEntries } from '../../deliveries/store/deliveries.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

// Every transaction that writes deliveries here has written their publication: two of them conflict there. No process has a lease of these deliveries.

/**
 * They are due now, and may be made public. Those that have not begun must begin as soon from now as they had to from when they were due: they have waited
 * for others.
 * @returns these deliveries
 */
export async function proceed(db: Db, ids: readonly string[], organizationId: string, session: ClientSession): Promise<DeliveryDocument[]> {
  if (ids.length === 0) return [];
  const from = { $add: ['$$NOW', aheadMs(organizationId), { $subtract: ['$publish_before', '$due_at'] }] };
  // Absent in those that are never too late.
  const publish_before = { $cond: [{ $eq: [{ $type: '$publish_before' }, 'missing'] }, '$$REMOVE', from] };
  const open = { _id: { $in: [...ids] }, open: true };
  const revision = { $add: ['$revision', 1] };
  await deliveries(db).updateMany(
    open,
    [{ $set: { run_at: '$$NOW', publish_before, revision, updated_at: '$$NOW' } }, { $unset: ['stage', 'waiting'] }],
    { session },
  );
  return deliveries(db).find(open, { session }).toArray();
}

/** They are due now, unless their commit has begun. A process that works on one of them loses its lease. */
export async function stop(db: Db, ids: readonly string[], session: ClientSession): Promise<void> {
  if (ids.length === 0) return;
  const unbegun = { _id: { $in: [...ids] }, open: true, commit: { $exists: false }, published_at: { $exists: false } };
  const released = { run_at: '$$NOW', fence: raisedFence, released_fence: raisedFence };
  await deliveries(db).updateMany(unbegun, [{ $set: { ...released, updated_at: '$$NOW' } }], { session });
}

/** They end without having been public. @returns the ended ones */
export const failWaiting = (
  db: Db,
  ids: readonly string[],
  { errorType, message }: { errorType: ErrorType; message: string },
  session: ClientSession,
): Promise<DeliveryDocument[]> =>
  changeEach(db, ids, session, () => {
    const change: Change = { ...failed(errorType, message), open: false, stage: undefined };
    return { change, entry: endEntry(change) };
  });

/** They are public and stay so, which is their result. */
export const confirm = (db: Db, ids: readonly string[], session: ClientSession): Promise<DeliveryDocument[]> =>
  changeEach(db, ids, session, () => ({ change: { status: 'DELIVERY_STATUS_SUCCESS', waiting: undefined } }));

/** They are public, and are being removed. They stay closed: a removal does the work. */
export const markRemoving = (db: Db, ids: readonly string[], message: string, session: ClientSession): Promise<DeliveryDocument[]> =>
  changeEach(db, ids, session, () => ({
    change: { status: 'DELIVERY_STATUS_PROCESSING', waiting: { reason: 'removing', message } },
    entry: waitEntry('removing', undefined, message),
  }));

/** Its removal waits. The timeline has that of the removal. */
export const markRemovalWaits = (db: Db, id: string, message: string, session: ClientSession): Promise<DeliveryDocument[]> =>
  changeEach(db, [id], session, () => ({ change: { waiting: { reason: 'removing', message } } }));

/** It is no longer on the platform: as if it had not been published. */
export const markRemoved = (
  db: Db,
  id: string,
  { errorType, message }: { errorType: ErrorType; message: string },
  session: ClientSession,
): Promise<DeliveryDocument[]> =>
  changeEach(db, [id], session, () => {
    const change: Change = { ...failed(errorType, message), publish_id: undefined, post_url: undefined, published_at: undefined };
    return { change, entry: endEntry(change) };
  });

/** It could not be removed, which the timeline of the removal shows. */
export const markKept = (db: Db, id: string, warning: string, session: ClientSession): Promise<DeliveryDocument[]> =>
  changeEach(db, [id], session, (row) => ({
    change: { status: 'DELIVERY_STATUS_SUCCESS', waiting: undefined, warnings: [...row.warnings, warning] },
  }));

const failed = (error_type: ErrorType, error_message: string): Change => ({
  ...{ status: 'DELIVERY_STATUS_FAILED', state: {}, warnings: [], waiting: undefined },
  ...{ error_type, error_message },
});

/** Each with its event's revision and its entry in the timeline, if it has one. */
async function changeEach(
  db: Db,
  ids: readonly string[],
  session: ClientSession,
  changeOf: (row: DeliveryDocument) => { readonly change: Change; readonly entry?: DeliveryEntry },
): Promise<DeliveryDocument[]> {
  if (ids.length === 0) return [];
  const rows = await deliveries(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
  const writes = rows.map((row) => {
    const { change, entry } = changeOf(row);
    return saving(withEntries(row, entry && [entry]), { ...change, revision: row.revision + 1 });
  });
  for (const write of writes) await deliveries(db).updateOne({ _id: write.row._id }, [...movingEntries(write).pipeline], { session });
  await recordEntries(
    db,
    writes.map(({ recorded }) => recorded),
    session,
  );
  return deliveries(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
}
