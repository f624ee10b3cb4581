import { currentTime } from '@fanfare/runtime';
import { MongoServerError, type Db, type Filter } from 'mongodb';
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

/** Chains that were erased, because privacy law demands it. Recorded before they are deleted, in the chain of the organization's anchors, which name them. */
interface ErasureDetails {
  readonly chains: readonly string[];
}

/** The kind of an anchor, and that of a record of erased chains. */
const ANCHOR = 'anchor';
const ERASED = 'erased';

export const isAnchor = (entry: EntryDocument): entry is AnchorDocument => entry.kind === ANCHOR;

const anchors = (db: Db) => db.collection<EntryDocument>('ledger_anchors');

export const anchorChain = (organizationId: string): string => `anchors-${organizationId}`;

/** The entries about an organization: its anchors, and records of erased chains. */
const ofOrganization = (organizationId: string): Filter<EntryDocument> => {
  const chain = anchorChain(organizationId);
  return { _id: { $gt: chain, $lte: endOfChain(chain) } };
};

/** The last entry of the chain of an organization's anchors, and its last anchor. */
export interface LastAnchor {
  readonly entry: EntryDocument | undefined;
  readonly anchor: AnchorDocument | undefined;
}

export async function findLastAnchor(db: Db, organizationId: string): Promise<LastAnchor> {
  const findLast = async (filter: Filter<EntryDocument>) =>
    (await anchors(db).findOne({ ...ofOrganization(organizationId), ...filter }, { sort: { _id: -1 } })) ?? undefined;
  const entry = await findLast({});
  return { entry, anchor: !entry || isAnchor(entry) ? entry : ((await findLast({ kind: ANCHOR })) as AnchorDocument | undefined) };
}

/** Appends an anchor. Fails with a duplicate key if another process has appended one since `last` was read. */
export async function appendAnchor(
  db: Db,
  organizationId: string,
  last: EntryDocument | undefined,
  details: AnchorDetails,
): Promise<AnchorDocument> {
  return (await append(db, organizationId, last, ANCHOR, details as unknown as EntryDocument['details'])) as AnchorDocument;
}

async function append(
  db: Db,
  organizationId: string,
  last: EntryDocument | undefined,
  kind: string,
  details: EntryDocument['details'],
): Promise<EntryDocument> {
  const subject = { chain: anchorChain(organizationId), postId: '', organizationId, businessId: '' };
  const now = currentTime();
  const fact = { kind, actor: 'system:ledger', details };
  const { links } = chained(subject, last, [fact], now);
  const [document] = links.map((link) => entryDocument(subject, link, now));
  if (!document) throw new Error('An anchor is one entry.');
  await anchors(db).insertOne(document);
  return document;
}

/** How often recording is tried when other processes append to the chain at the same time. */
const ATTEMPTS = 10;

/** Records that chains of an organization are being erased. Repeats record them again, which is harmless. */
export async function recordErasedChains(db: Db, organizationId: string, chains: readonly string[]): Promise<EntryDocument> {
  for (let attempt = 1; ; attempt++) {
    const { entry } = await findLastAnchor(db, organizationId);
    try {
      return await append(db, organizationId, entry, ERASED, { chains: [...chains] });
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === 11_000) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Which of these chains of an organization are recorded as erased. */
export async function findErasedChains(db: Db, organizationId: string, chains: readonly string[]): Promise<ReadonlySet<string>> {
  if (chains.length === 0) return new Set();
  const found = await anchors(db)
    .find({ ...ofOrganization(organizationId), kind: ERASED, 'details.chains': { $in: [...chains] } })
    .toArray();
  return new Set(found.flatMap(({ details }) => (details as unknown as ErasureDetails).chains));
}

/** @returns how many it deleted */
export async function deleteAnchors(db: Db, organizationId: string, limit: number): Promise<number> {
  const found = await anchors(db)
    .find(ofOrganization(organizationId), { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  if (found.length > 0) await anchors(db).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return found.length;
}

/** Anchors and records of erased chains after an id, in the order of organizations and entries; and the one with that id, if it is there. */
export async function readAnchors(
  db: Db,
  { organizationId, afterId }: { readonly organizationId?: string | undefined; readonly afterId: string },
  limit: number,
): Promise<{ readonly previous: EntryDocument | undefined; readonly page: EntryDocument[] }> {
  const filter: Filter<EntryDocument> = { _id: { $gt: afterId }, ...(organizationId !== undefined && { organization_id: organizationId }) };
  const previous = afterId === '' ? null : await anchors(db).findOne({ _id: afterId });
  const page = await anchors(db).find(filter).sort({ _id: 1 }).limit(limit).toArray();
  return { previous: previous ?? undefined, page };
}
