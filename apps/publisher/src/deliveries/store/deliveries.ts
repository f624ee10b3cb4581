import type { Platform, State } from '@fanfare/connectors';
import type { DeliveryStatus } from '@fanfare/contracts/publisher/events';
import { leasedRows, type FencedWrite, type LeasedRow } from '@fanfare/leased-work';
import { currentTime } from '@fanfare/runtime';
import type { DeliveryContent } from '../../content/domain/delivery-content.ts';
import type { ErrorType } from '../domain/error-type.ts';
import { isDuplicateKey } from '@fanfare/mongo';
import type { ClientSession, Db, Document } from 'mongodb';

/**
 * A commit that was begun and whose outcome is not known yet. Written down before its first byte may leave us; kept for good when the delivery ends
 * with an unknown outcome.
 */
export interface CommitDocument {
  began_at: Date;
  /** After this no byte of it is sent. */
  deadline_at: Date;
  /** From here on reading the platform means something. */
  settled_at: Date;
  fingerprint: string;
  /** How often the platform was read in vain. */
  finds: number;
  /** How often it could not be read at all. */
  failed_reads: number;
  /** How often the call to read it was not even made. */
  unsent_reads?: number;
}

/** One post on its way to one account. */
export interface DeliveryDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  post_id: string;
  publication_id: string;
  integration_id: string;
  platform: Platform;
  /** The platform's id of the account, from when the delivery begins: the same account may be connected in several businesses. */
  account_id?: string;
  flow_id: string;
  created_at: Date;
  updated_at: Date;
  due_at: Date;
  revision: number;
  status: DeliveryStatus;
  /** Whether there is work left. */
  open: boolean;
  content: DeliveryContent;
  /** What became of its steps, by their names in the order of their first run; for operators. Rows from before this was kept have none. */
  steps?: Readonly<Record<string, StepDocument>>;
  /** Where it stands, in the connector's own terms. Emptied at the end: it may hold an address that a platform takes uploads at. */
  state: State;
  commit?: CommitDocument;
  /** When the first commit began whose answer was lost. */
  lost_commit_at?: Date;
  /** How many commits the platform has proven to have lost. */
  lost_commits?: number;
  /** A follow-up that others can see and that was begun: it is never begun again. */
  begun_follow_up?: string;
  /** When it is due to run; while a process has the lease, when that lease ends. */
  run_at: Date;
  fence: number;
  /** Of publishing: how many commits were begun. Leases do not count. */
  attempts: number;
  /** Failures since the last step that succeeded. */
  failures: number;
  /** Those of them of which nothing was sent. */
  unsent?: number;
  /** When the platform had it. */
  published_at?: Date;
  publish_id?: string;
  post_url?: string;
  error_type?: ErrorType;
  error_message?: string;
  /** What it has reserved of quotas that posts spend, by their names: how much, and in which window. Returned when it certainly ends without a post. */
  budgets_held?: Readonly<Record<string, { readonly amount: number; readonly at: Date }>>;
  /** How often in a row it had to wait for a quota. */
  budget_waits?: number;
  /** In words, for the caller: what is missing around a post that stands. */
  warnings: string[];
  /** What callers were told that it waits for. */
  waiting?: WaitingDocument;
}

/** A delivery that is being carried out, as it is in memory: what `unwritten` says stands in it already, and is written with whatever is written next. */
export interface LeasedDelivery extends DeliveryDocument {
  readonly unwritten?: Change;
}

export interface StepDocument {
  /** `ok`, `lost`, `given_up` or the class of the failure. */
  outcome: string;
  runs: number;
  ended_at: Date;
}

export interface WaitingDocument {
  reason: 'rate_limited' | 'retry' | 'confirming' | 'held';
  /** Absent when nobody knows. */
  until?: Date;
  message: string;
}

/** What callers are to read of a wait that begins now. */
export interface Waiting extends Pick<WaitingDocument, 'reason' | 'message'> {
  /** Whether they read until when: false where nobody knows. */
  readonly isEndKnown: boolean;
}

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

export const deliveryRows = leasedRows<DeliveryDocument>({ of: deliveries, due: 'run_at', open: { open: true } });

export async function createDeliveryIndexes(db: Db): Promise<void> {
  await deliveries(db).createIndex({ publication_id: 1 });
}

/** What must hold for an account on a platform, in however many businesses it is connected. Replaces what held for each connection alone. */
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

/** They are due now. A row that is there already stays as it is: the publication was requested before. */
export async function insertDeliveries(
  db: Db,
  documents: readonly Omit<DeliveryDocument, 'run_at'>[],
  session: ClientSession,
): Promise<void> {
  if (documents.length === 0) return;
  // Whoever inserts one of them meanwhile conflicts with this transaction.
  const known = await deliveries(db)
    .find({ _id: { $in: documents.map(({ _id }) => _id) } }, { projection: { _id: 1 }, session })
    .toArray();
  const ids = new Set(known.map(({ _id }) => _id));
  const fresh = [...new Map(documents.map((one) => [one._id, one])).values()].filter(({ _id }) => !ids.has(_id));
  if (fresh.length === 0) return;
  const run_at = currentTime();
  await deliveries(db).insertMany(
    fresh.map((one) => ({ ...one, run_at })),
    { session },
  );
}

/** Members to set; those that are undefined are removed. */
export type Change = { readonly [K in keyof DeliveryDocument]?: DeliveryDocument[K] | undefined };

/** Writes, if the lease is still ours, and hands the delivery over as it is then. @throws LeaseLost */
export const saveDelivery = (db: Db, delivery: LeasedDelivery, change: Change): Promise<DeliveryDocument> =>
  deliveryRows.write(db, saving(delivery, change));

export const saving = (delivery: LeasedDelivery, change: Change): FencedWrite => writing(delivery, change, {});

/** A write of what is unwritten, of a change, and of members that are expressions. */
function writing(delivery: LeasedDelivery, change: Change, expressions: Document): FencedWrite {
  const all = { ...delivery.unwritten, ...change };
  return { row: delivery, pipeline: [{ $set: { ...literals(all), ...expressions, updated_at: '$$NOW' } }, ...unsets(all)] };
}

/** The delivery with a change that is written with whatever is written next: of use where nobody could act on the row in between. */
export function withUnwritten(delivery: LeasedDelivery, change: Change): LeasedDelivery {
  const changed = Object.fromEntries(Object.entries({ ...delivery, ...change }).filter(([, value]) => value !== undefined));
  return { ...(changed as unknown as DeliveryDocument), unwritten: { ...delivery.unwritten, ...change } };
}

/** The delivery with what became of a step, unwritten. */
export function withStep(delivery: LeasedDelivery, name: string, outcome: string): LeasedDelivery {
  const runs = (delivery.steps?.[name]?.runs ?? 0) + 1;
  return withUnwritten(delivery, { steps: { ...delivery.steps, [name]: { outcome, runs, ended_at: currentTime() } } });
}

/**
 * Gives the lease back, with a time to go on at: `inMs` from now, or a point in time. `waiting` is what callers read of it until then; without it, what
 * they read stays. `settlesCommit` lets the commit settle until then, too.
 */
export function releasing(
  delivery: LeasedDelivery,
  until: { readonly inMs: number } | { readonly at: Date },
  {
    change,
    waiting,
    settlesCommit,
  }: { readonly change: Change; readonly waiting?: Waiting | undefined; readonly settlesCommit?: true | undefined },
): FencedWrite {
  const run_at = 'at' in until ? { $literal: until.at } : { $add: ['$$NOW', Math.round(until.inMs)] };
  return writing(delivery, change, {
    run_at,
    fence: delivery.fence + 1,
    ...(waiting && { waiting: told(waiting, run_at) }),
    ...(settlesCommit && { 'commit.settled_at': run_at }),
  });
}

function told({ isEndKnown, ...waiting }: Waiting, run_at: Document): Document {
  return { $mergeObjects: [{ $literal: waiting }, ...(isEndKnown ? [{ until: run_at }] : [])] };
}

/** Writes down that the commit begins now. Its times are the database's. @throws LeaseLost */
export async function beginCommit(
  db: Db,
  delivery: LeasedDelivery,
  commit: { timeoutMs: number; settleMs: number; fingerprint: string },
): Promise<DeliveryDocument> {
  const { timeoutMs, settleMs, fingerprint } = commit;
  const begun = {
    began_at: '$$NOW',
    deadline_at: { $add: ['$$NOW', Math.round(timeoutMs)] },
    settled_at: { $add: ['$$NOW', Math.round(timeoutMs + settleMs)] },
    fingerprint: { $literal: fingerprint },
    finds: 0,
    failed_reads: 0,
  };
  return deliveryRows.write(db, writing(delivery, {}, { attempts: { $add: ['$attempts', 1] }, commit: begun }));
}

/** Whether a write failed because that post on the platform belongs to another delivery. */
export const isPublishIdTaken = (error: unknown): boolean => isDuplicateKey(error, 'publish_id');

/** Callers' text may begin with a dollar sign; in a pipeline that would name a field. */
const literals = (change: Change) =>
  Object.fromEntries(Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, { $literal: value }]])));

function unsets(change: Change): { $unset: string[] }[] {
  const names = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return names.length > 0 ? [{ $unset: names }] : [];
}
