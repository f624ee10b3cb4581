import { currentTime } from '@fanfare/runtime';
import type { ClientSession, Db, Filter } from 'mongodb';
import { endOfChain, entryDocument, type EntryDocument, type Link, type Subject } from '../entry.ts';

const ledger = (db: Db) => db.collection<EntryDocument>('ledger');

export async function createLedgerIndexes(db: Db): Promise<void> {
  await ledger(db).createIndex({ post_id: 1, at: 1, _id: 1 }, { name: 'timeline' });
}

/** For erasing all chains of a business. */
export async function createBusinessIndex(db: Db): Promise<void> {
  await ledger(db).createIndex({ business_id: 1, _id: 1 }, { name: 'of_business' });
}

/** The first entries of a business, in the order of chains and entries. @param after the chain after which they begin; by default, all do */
export async function findOfBusiness(
  db: Db,
  { organizationId, businessId }: Pick<Subject, 'organizationId' | 'businessId'>,
  limit: number,
  after?: string,
): Promise<Pick<EntryDocument, 'chain'>[]> {
  const beyond = after !== undefined && { _id: { $gt: endOfChain(after) } };
  return ledger(db)
    .find({ business_id: businessId, organization_id: organizationId, ...beyond }, { projection: { chain: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/**
 * Some of the chains of a business, in their order, after a chain; empty for the first ones.
 * @returns `nextAfter`: the chain after which there may be more; undefined if there are none
 */
export async function listChains(
  db: Db,
  of: Pick<Subject, 'organizationId' | 'businessId'>,
  after: string,
): Promise<{ readonly chains: string[]; readonly nextAfter: string | undefined }> {
  const found = await findOfBusiness(db, of, MOST_SCANNED, after === '' ? undefined : after);
  const chains = [...new Set(found.map(({ chain }) => chain))];
  return { chains, nextAfter: found.length < MOST_SCANNED ? undefined : chains.at(-1) };
}

/** How many entries are read for a page of chains. */
const MOST_SCANNED = 2_000;

/** Deletes the entries of a business up to the end of a chain. @returns how many */
export async function deleteUpTo(
  db: Db,
  { organizationId, businessId }: Pick<Subject, 'organizationId' | 'businessId'>,
  chain: string,
): Promise<number> {
  const { deletedCount } = await ledger(db).deleteMany({
    business_id: businessId,
    organization_id: organizationId,
    _id: { $lte: endOfChain(chain) },
  });
  return deletedCount;
}

/** New entries of a chain. */
export interface Recorded {
  readonly subject: Subject;
  readonly links: readonly Link[];
}

/** Inserts entries of any number of chains in one round trip, in the caller's transaction. */
export async function recordEntries(db: Db, recorded: readonly Recorded[], session: ClientSession): Promise<void> {
  const at = currentTime();
  const entries = recorded.flatMap(({ subject, links }) => links.map((link) => entryDocument(subject, link, at)));
  if (entries.length > 0) await ledger(db).insertMany(entries, { session });
}

/** A place in a timeline. */
export interface TimelinePosition {
  readonly at: Date;
  readonly id: string;
}

/** Entries about a post after a position, oldest first; those of one time in the order of their ids. */
export async function listEntriesOfPost(
  db: Db,
  { postId, organizationId, businessId }: Pick<Subject, 'postId' | 'organizationId' | 'businessId'>,
  after: TimelinePosition | undefined,
  limit: number,
): Promise<EntryDocument[]> {
  const scope = { post_id: postId, organization_id: organizationId, business_id: businessId };
  const beyond: Filter<EntryDocument> = after
    ? { at: { $gte: after.at }, $or: [{ at: { $gt: after.at } }, { _id: { $gt: after.id } }] }
    : {};
  return ledger(db)
    .find({ ...scope, ...beyond })
    .sort({ at: 1, _id: 1 })
    .limit(limit)
    .toArray();
}

/** All entries of whole chains after an id, in the order of chains and entries. */
export async function readChains(
  db: Db,
  { organizationId, postId, afterId }: { organizationId?: string | undefined; postId?: string | undefined; afterId: string },
  scanned: number,
): Promise<{ readonly entries: EntryDocument[]; readonly lastId: string | undefined }> {
  const filter = {
    ...(organizationId !== undefined && { organization_id: organizationId }),
    ...(postId !== undefined && { post_id: postId }),
  };
  if (postId !== undefined) return { entries: await ledger(db).find(filter).sort({ _id: 1 }).toArray(), lastId: undefined };
  // Bounded by what is scanned, so that a page takes as long for a small organization as for a large one.
  const [bound] = await ledger(db)
    .find({ _id: { $gt: afterId } }, { projection: { chain: 1 } })
    .sort({ _id: 1 })
    .skip(scanned - 1)
    .limit(1)
    .toArray();
  const lastId = bound && endOfChain(bound.chain);
  const range = { $gt: afterId, ...(lastId !== undefined && { $lte: lastId }) };
  const entries = await ledger(db)
    .find({ _id: range, ...filter })
    .sort({ _id: 1 })
    .toArray();
  return { entries, lastId };
}

/** The entries of a chain after an id. */
export async function readOn(db: Db, chain: string, afterId: string): Promise<EntryDocument[]> {
  return ledger(db)
    .find({ _id: { $gt: afterId, $lte: endOfChain(chain) } })
    .sort({ _id: 1 })
    .toArray();
}

/** The hashes of entries by their ids. */
export async function findHashes(db: Db, ids: readonly string[]): Promise<Map<string, Pick<EntryDocument, 'hash'>>> {
  const found = await ledger(db)
    .find({ _id: { $in: [...ids] } }, { projection: { hash: 1 } })
    .toArray();
  return new Map(found.map((entry) => [entry._id, entry]));
}

/** When the oldest entry was inserted. */
export async function findOldestRecordedAt(db: Db): Promise<Date | undefined> {
  const [oldest] = await ledger(db)
    .find({}, { projection: { recorded_at: 1 } })
    .sort({ recorded_at: 1 })
    .limit(1)
    .toArray();
  return oldest?.recorded_at;
}

/** What an anchor reads of an entry. */
export type DayEntry = Pick<EntryDocument, '_id' | 'organization_id' | 'chain' | 'post_id' | 'n' | 'hash' | 'at'>;

/** The entries that were inserted in a time, by organization and chain. Sorted on disk: no index is needed for what runs once a day. */
export async function* readRecorded(db: Db, from: Date, to: Date): AsyncGenerator<DayEntry> {
  yield* ledger(db).aggregate<DayEntry>(
    [
      { $match: { recorded_at: { $gte: from, $lt: to } } },
      { $project: { organization_id: 1, chain: 1, post_id: 1, n: 1, hash: 1, at: 1 } },
      { $sort: { organization_id: 1, _id: 1 } },
    ],
    { allowDiskUse: true },
  );
}
