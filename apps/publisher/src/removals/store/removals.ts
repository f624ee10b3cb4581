import type { Platform } from '@fanfare/connectors';
import type { RemovalStatus } from '@fanfare/contracts/publisher/events';
import { leasedRows, raisedFence, type LeasedRow } from '@fanfare/leased-work';
import { pageOfDocuments, recordEntries, type DocumentPage, type Head, type Witness } from '@fanfare/ledger';
import { literals } from '@fanfare/mongo';
import { aheadMs, currentTime, now } from '@fanfare/runtime';
import type { ClientSession, Db, Document } from 'mongodb';
import { linksOf, subjectOf } from '../../deliveries/domain/delivery-chain.ts';
import type { ErrorType } from '../../deliveries/domain/error-type.ts';
import type { RemovalEntries } from '../domain/removal-entries.ts';

/** The removal of one published post from its platform. */
export interface RemovalDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  post_id: string;
  delivery_id: string;
  integration_id: string;
  platform: Platform;
  /** Absent if the platform never reported it. */
  publish_id?: string;
  flow_id: string;
  /** It takes a post back because another account of its publication failed: its end is a result of the delivery, and no unpublishing. */
  takes_back?: true;
  created_at: Date;
  updated_at: Date;
  revision: number;
  status: RemovalStatus;
  /** Whether there is work left. */
  open: boolean;
  /** When it is due; while it is leased, when the lease ends. */
  run_at: Date;
  failures: number;
  error_type?: ErrorType;
  /** Why it waits or failed. */
  detail?: string;
  /** The last entry of its timeline. */
  ledger?: Head;
  /** `PAUSED`: the last entry of its timeline says that it waits for the end of a pause. */
  told?: string;
}

const removals = (db: Db) => db.collection<RemovalDocument>('removals');

export const removalRows = leasedRows<RemovalDocument>({ of: removals, due: 'run_at', open: { open: true }, organizationTime: true });

export async function createRemovalIndexes(db: Db): Promise<void> {
  await removals(db).createIndex({ run_at: 1 }, { name: 'due', partialFilterExpression: { open: true } });
}

/** Of the timeline of a post. */
export async function createRemovalPostIndex(db: Db): Promise<void> {
  await removals(db).createIndex({ post_id: 1 }, { name: 'of_post' });
}

/** Ended ones are kept for 90 days: content has their results. */
export async function createEndedRemovalIndex(db: Db): Promise<void> {
  await removals(db).createIndex(
    { updated_at: 1 },
    { name: 'ended', expireAfterSeconds: 90 * 24 * 3600, partialFilterExpression: { open: false } },
  );
}

export type NewRemoval = Pick<
  RemovalDocument,
  | '_id'
  | 'organization_id'
  | 'business_id'
  | 'post_id'
  | 'delivery_id'
  | 'integration_id'
  | 'platform'
  | 'publish_id'
  | 'flow_id'
  | 'takes_back'
>;

/** Inserts due removals. Rows that exist stay unchanged: the removal was requested before. */
export async function insertRemovals(db: Db, requested: readonly NewRemoval[], session: ClientSession): Promise<void> {
  if (requested.length === 0) return;
  const fresh = {
    run_at: currentTime(),
    revision: 0,
    status: 'REMOVAL_STATUS_PENDING',
    open: true,
    failures: 0,
  } as const;
  const inserts = requested.map(({ _id, ...rest }) => {
    const [at, clock_ms] = [now(rest.organization_id), aheadMs(rest.organization_id)];
    const row = { ...rest, ...fresh, created_at: at, updated_at: at, ...(clock_ms > 0 && { clock_ms }) };
    return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } };
  });
  await removals(db).bulkWrite(inserts, { session });
}

/** How a removal ended. */
export type RemovalEnd =
  | { readonly status: 'REMOVAL_STATUS_REMOVED' }
  | { readonly status: 'REMOVAL_STATUS_FAILED'; readonly error_type: ErrorType; readonly detail: string };

/** Whether its timeline says already that it waits for the end of a pause. */
export const isPauseRecorded = ({ told }: RemovalDocument): boolean => told === PAUSED;
/** It waits for the end of a pause. Rows store `held`, as in the entry. */
const PAUSED = 'held';

/** @returns the row with the revision of its event @throws LeaseLost */
export const endRemoval = (
  db: Db,
  row: RemovalDocument,
  { end, entries }: { readonly end: RemovalEnd; readonly entries: RemovalEntries },
  session: ClientSession,
): Promise<RemovalDocument> =>
  writeWithEntries(
    db,
    row,
    entries,
    [{ $unset: ['error_type', 'detail'] }, { $set: { ...literals({ ...end, open: false }), ...raised } }],
    session,
  );

/**
 * Releases the lease after a failure: the removal is due again `inMs` from now. With `detail`, that is reported as the reason of a long wait.
 * @returns the row, with the revision of its event if the reason is reported
 * @throws LeaseLost
 */
export const postponeAfterFailure = (
  db: Db,
  row: RemovalDocument,
  { inMs, detail, entries }: { readonly inMs: number; readonly detail?: string | undefined; readonly entries: RemovalEntries },
  session: ClientSession,
): Promise<RemovalDocument> => {
  const released = { run_at: inFuture(inMs + aheadMs(row.organization_id)), fence: raisedFence };
  const reported = detail === undefined ? {} : { ...literals({ detail }), ...raised };
  const failed = { failures: { $add: ['$failures', 1] } };
  return writeWithEntries(db, row, entries, [{ $set: { ...failed, ...released, ...reported } }, { $unset: ['told'] }], session);
};

/** Releases the lease for so long in real time, because of a pause. @throws LeaseLost */
export const postponeForPause = (
  db: Db,
  row: RemovalDocument,
  { inMs, entries }: { readonly inMs: number; readonly entries: RemovalEntries },
  session: ClientSession,
): Promise<RemovalDocument> =>
  writeWithEntries(
    db,
    row,
    entries,
    [{ $set: { run_at: inFuture(inMs), real_due: inFuture(inMs), fence: raisedFence, told: PAUSED } }],
    session,
  );

/** A write, and the entries of the timeline that belong to it. Each removal has a chain of its own. */
async function writeWithEntries(
  db: Db,
  row: RemovalDocument,
  entries: RemovalEntries,
  pipeline: readonly Document[],
  session: ClientSession,
): Promise<RemovalDocument> {
  const ofDelivery = entries.map(({ kind, details }) => ({ kind, details: { delivery_id: row.delivery_id, ...details } }));
  const { links, head } = linksOf(row, ofDelivery);
  const after = await removalRows.write(db, { row, pipeline: [...pipeline, { $set: literals({ ledger: head }) }] }, session);
  await recordEntries(db, [{ subject: subjectOf(row), links }], session);
  return after;
}

/** The last entries of the timelines of removals, as their rows name them. */
export async function findRemovalHeads(
  db: Db,
  { chains, postId }: { readonly chains: readonly string[]; readonly postId?: string | undefined },
): Promise<Witness[]> {
  const filter = postId === undefined ? { _id: { $in: [...chains] } } : { post_id: postId };
  const found = await removals(db)
    .find({ ...filter, ledger: { $exists: true } }, { projection: HEAD })
    .toArray();
  return found.flatMap(toWitness);
}

/** The same of all removals, page by page. */
export const pageOfRemovalHeads = (db: Db, after: string): Promise<DocumentPage> => pageOfDocuments(removals(db), after, HEAD, toWitness);

const HEAD = { organization_id: 1, post_id: 1, ledger: 1 } as const;
const toWitness = ({ _id: chain, organization_id: organizationId, post_id: postId, ledger }: RemovalDocument): Witness[] =>
  ledger ? [{ organizationId, postId, chain, ...ledger }] : [];

const inFuture = (ms: number): Document => ({ $add: ['$$NOW', Math.round(ms)] });
const raised: Document = { revision: { $add: ['$revision', 1] }, updated_at: '$$NOW' };
