import {
  entryDocument,
  listEntriesOfPost,
  pageOfDocuments,
  type DocumentPage,
  type EntryDocument,
  type TimelinePage,
  type Witness,
} from '@fanfare/ledger';
import type { Db } from 'mongodb';
import { subjectOf } from '../domain/delivery-chain.ts';
import type { DeliveryDocument } from '../delivery.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** Entries about a post, oldest first: those in the ledger, and those that are still in rows. */
export async function listTimelineEntries(db: Db, { of, after, limit }: TimelinePage): Promise<EntryDocument[]> {
  // Before the ledger: entries that are moved in between are found twice, and none is missed.
  const rows = await deliveries(db)
    .find({ post_id: of.postId, organization_id: of.organizationId, business_id: of.businessId, entries: { $exists: true } })
    .toArray();
  const moved = await listEntriesOfPost(db, of, after, limit);
  const waiting = rows.flatMap((row) => (row.entries ?? []).map((link) => entryDocument(subjectOf(row), link, row.updated_at)));
  const isBeyond = ({ at, _id }: EntryDocument) => !after || at > after.at || (at.getTime() === after.at.getTime() && _id > after.id);
  const all = new Map([...moved, ...waiting.filter(isBeyond)].map((entry) => [entry._id, entry]));
  return [...all.values()].sort((a, b) => a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1)).slice(0, limit);
}

/** The last entries in the ledger of deliveries, as their rows name them. */
export async function findTimelineHeads(
  db: Db,
  { chains, postId }: { readonly chains: readonly string[]; readonly postId?: string | undefined },
): Promise<Witness[]> {
  const filter = postId === undefined ? { _id: { $in: [...chains] } } : { post_id: postId };
  const found = await deliveries(db)
    .find({ ...filter, ledger: { $exists: true } }, { projection: HEAD })
    .toArray();
  return found.flatMap(toWitness);
}

/** The same of all deliveries, page by page. */
export const pageOfTimelineHeads = (db: Db, after: string): Promise<DocumentPage> =>
  pageOfDocuments(deliveries(db), after, HEAD, toWitness);

const HEAD = { organization_id: 1, post_id: 1, ledger: 1, entries: 1 } as const;

function toWitness({
  _id: chain,
  organization_id: organizationId,
  post_id: postId,
  ledger,
  entries: [first] = [],
}: DeliveryDocument): Witness[] {
  // The row has entries that are not in the ledger yet: the ledger ends before them.
  const head = first ? { n: first.n - 1, hash: first.previous_hash, at: first.previous_at ?? first.at } : ledger;
  return head && head.n > 0 ? [{ organizationId, postId, chain, ...head }] : [];
}
