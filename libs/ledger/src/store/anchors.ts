import { currentTime } from '@fanfare/runtime';
import type { Db, Filter } from 'mongodb';
import { chained } from '../chain.ts';
import { endOfChain, entryDocument, type EntryDocument } from '../entry.ts';

/** The last entry of a chain on a day. */
export interface AnchoredHead {
  readonly chain: string;
  readonly post_id: string;
  readonly n: number;
  readonly hash: string;
  readonly at: string;
}

/** The chains of an organization that got entries on a day, or some of them. Anchors of an organization are a chain themselves. */
export interface AnchorDetails {
  /** In UTC, by the times of insertion. */
  readonly day: string;
  /** Whether this is the last anchor of the day. */
  readonly is_complete: boolean;
  /** In the order of the chains. */
  readonly heads: readonly AnchoredHead[];
}

export type AnchorDocument = EntryDocument & { details: AnchorDetails };

const anchors = (db: Db) => db.collection<EntryDocument>('ledger_anchors');

export const anchorChain = (organizationId: string): string => `anchors-${organizationId}`;

export async function findLastAnchor(db: Db, organizationId: string): Promise<AnchorDocument | undefined> {
  const chain = anchorChain(organizationId);
  const [last] = await anchors(db)
    .find({ _id: { $gt: chain, $lte: endOfChain(chain) } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  return last as AnchorDocument | undefined;
}

/** Appends an anchor. Fails with a duplicate key if another process has appended one since `last` was read. */
export async function appendAnchor(
  db: Db,
  organizationId: string,
  last: EntryDocument | undefined,
  details: AnchorDetails,
): Promise<AnchorDocument> {
  const subject = { chain: anchorChain(organizationId), postId: '', organizationId, businessId: '' };
  const now = currentTime();
  const fact = { kind: 'anchor', actor: 'system:ledger', details: details as unknown as EntryDocument['details'] };
  const { links } = chained(subject, last, [fact], now);
  const [document] = links.map((link) => entryDocument(subject, link, now));
  if (!document) throw new Error('An anchor is one entry.');
  await anchors(db).insertOne(document);
  return document as AnchorDocument;
}

/** Anchors after an id, in the order of organizations and anchors; and the one with that id, if it is there. */
export async function readAnchors(
  db: Db,
  { organizationId, afterId }: { readonly organizationId?: string | undefined; readonly afterId: string },
  limit: number,
): Promise<{ readonly previous: AnchorDocument | undefined; readonly page: AnchorDocument[] }> {
  const filter: Filter<EntryDocument> = { _id: { $gt: afterId }, ...(organizationId !== undefined && { organization_id: organizationId }) };
  const previous = afterId === '' ? null : await anchors(db).findOne({ _id: afterId });
  const page = await anchors(db).find(filter).sort({ _id: 1 }).limit(limit).toArray();
  return { previous: (previous ?? undefined) as AnchorDocument | undefined, page: page as AnchorDocument[] };
}
