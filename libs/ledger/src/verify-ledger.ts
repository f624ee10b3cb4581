import type { LedgerProblem, VerifyLedgerRequest, VerifyLedgerResponse } from '@fanfare/contracts/timeline';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { entryId, type EntryDocument } from './entry.ts';
import type { DocumentPage } from './store/documents.ts';
import { findErasedChains, isAnchor, readAnchors, type AnchorDocument } from './store/anchors.ts';
import { findHashes, readChains, readOn } from './store/entries.ts';
import { findExpiredBefore } from './store/ledger-state.ts';
import { firstProblem, witnessProblem, type Problem, type Witness } from './verify-chain.ts';

/** How many entries, or anchors, a page reads. */
const ENTRIES = 2_000;
const ANCHORS = 20;

/** The documents that chains are about: each names the last entry of its chain. */
export interface Documents {
  /** Of the given chains or, with `postId`, of all chains about the post. */
  of(which: { readonly chains: readonly string[]; readonly postId?: string | undefined }): Promise<Witness[]>;
  /** Some of all, in an order that does not change. @param after `nextAfter` of the previous page; empty for the first one */
  page(after: string): Promise<DocumentPage>;
}

/**
 * Checks a page of the ledger: first the entries, chain by chain and against the documents that they are about, then the documents, whose chains may be gone,
 * then the anchors, and the entries that they name.
 * @throws DomainError invalid_request (cursor)
 */
export async function verifyLedger(db: Db, request: VerifyLedgerRequest, documents: Documents): Promise<VerifyLedgerResponse> {
  const [, phase = 'entries', afterId = ''] = /^(entries|documents|anchors):(.*)$/s.exec(request.pageToken || 'entries:') ?? [];
  if (request.pageToken !== '' && request.pageToken !== `${phase}:${afterId}`) {
    throw new DomainError('invalid_request', 'The cursor is invalid.', { param: 'cursor' });
  }
  const expiredBefore = await findExpiredBefore(db);
  switch (phase) {
    case 'entries':
      return verifyEntries(db, request, afterId, expiredBefore, documents);
    case 'documents':
      return verifyDocuments(db, request, await documents.page(afterId), expiredBefore);
    default:
      return verifyAnchors(db, request, afterId, expiredBefore);
  }
}

async function verifyEntries(
  db: Db,
  { organizationId, postId }: VerifyLedgerRequest,
  afterId: string,
  expiredBefore: Date,
  documents: Documents,
): Promise<VerifyLedgerResponse> {
  const { entries, lastId } = await readChains(db, { organizationId, postId, afterId }, ENTRIES);
  const chains = Map.groupBy(entries, ({ chain }) => chain);
  // After the entries: what was appended in between is read again, and nothing that the documents name may be missing.
  const witnesses = new Map((await documents.of({ chains: [...chains.keys()], postId })).map((one) => [one.chain, one]));
  for (const chain of witnesses.keys()) if (!chains.has(chain)) chains.set(chain, []);
  const problems: Problem[] = [];
  for (const [chain, stored] of chains) {
    const found = await chainProblem(db, chain, stored, witnesses.get(chain), expiredBefore);
    if (found) problems.push(found);
  }
  // The documents of a post were read above. Anchors do not say which post a chain is about, if nothing of the chain is left.
  const nextPageToken = lastId !== undefined ? `entries:${lastId}` : postId === undefined ? 'documents:' : '';
  const found = await withoutErased(db, problems);
  return { problems: found.map(toProblem), entries: entries.length, chains: chains.size, anchors: 0, nextPageToken };
}

async function chainProblem(
  db: Db,
  chain: string,
  stored: readonly EntryDocument[],
  witness: Witness | undefined,
  expiredBefore: Date,
): Promise<Problem | undefined> {
  const last = stored.at(-1);
  const isBehind = witness !== undefined && (last?.n ?? 0) < witness.n;
  const newer = isBehind ? await readOn(db, chain, last?._id ?? chain) : [];
  const all = [...stored, ...newer];
  const found = firstProblem(all, { expiredBefore });
  if (found || !witness) return found;
  const beyond = all.find(({ n }) => n > witness.n);
  if (beyond && !isBehind) {
    const { organizationId, postId } = witness;
    return { organizationId, postId, chain, n: beyond.n, problem: 'changed', detail: `The chain ends with entry ${witness.n}.` };
  }
  const end = all.at(-1)?.n ?? 0;
  const missing = witnessProblem(
    witness,
    all.find(({ n }) => n === witness.n),
    DOCUMENT,
    expiredBefore,
  );
  if (missing?.problem !== 'missing') return missing;
  // Its beginning may have expired, so only the last entry is certainly missing.
  return end > 0 ? { ...missing, n: end + 1 } : { ...missing, detail: `Nothing of the chain is left. ${missing.detail}` };
}

/** Chains of which nothing is left are found by their documents alone. */
async function verifyDocuments(
  db: Db,
  { organizationId }: VerifyLedgerRequest,
  { witnesses, nextAfter }: DocumentPage,
  expiredBefore: Date,
): Promise<VerifyLedgerResponse> {
  const wanted = witnesses.filter((one) => organizationId === undefined || one.organizationId === organizationId);
  // After the documents: entries are written with them, and never deleted.
  const found = await findHashes(
    db,
    wanted.map(({ chain, n }) => entryId(chain, n)),
  );
  const problems = wanted.flatMap(
    (witness) => witnessProblem(witness, found.get(entryId(witness.chain, witness.n)), DOCUMENT, expiredBefore) ?? [],
  );
  const left = await withoutErased(db, problems);
  const nextPageToken = nextAfter === undefined ? 'anchors:' : `documents:${nextAfter}`;
  return { problems: left.map(toProblem), entries: 0, chains: 0, anchors: 0, nextPageToken };
}

const DOCUMENT = 'The document that the chain is about';

async function verifyAnchors(
  db: Db,
  { organizationId }: VerifyLedgerRequest,
  afterId: string,
  expiredBefore: Date,
): Promise<VerifyLedgerResponse> {
  const { previous, page } = await readAnchors(db, { organizationId, afterId }, ANCHORS);
  const problems: Problem[] = [];
  const chains = Map.groupBy(page, ({ chain }) => chain);
  for (const [chain, anchors] of chains) {
    const found = firstProblem(anchors, { expiredBefore, previous: previous?.chain === chain ? previous : undefined });
    if (found) problems.push(found);
  }
  for (const anchor of page.filter(isAnchor)) problems.push(...(await withoutErased(db, await headProblems(db, anchor, expiredBefore))));
  const last = page.length === ANCHORS ? page.at(-1) : undefined;
  const nextPageToken = last ? `anchors:${last._id}` : '';
  return { problems: problems.map(toProblem), entries: 0, chains: 0, anchors: page.length, nextPageToken };
}

/** The entries that an anchor names, and that are not there or are others. */
async function headProblems(db: Db, { organization_id, details: { day, heads } }: AnchorDocument, expiredBefore: Date): Promise<Problem[]> {
  const found = await findHashes(
    db,
    heads.map(({ chain, n }) => entryId(chain, n)),
  );
  return heads.flatMap(({ chain, n, hash, at, post_id: postId }) => {
    const witness = { organizationId: organization_id, postId, chain, n, hash, at: new Date(at) };
    return witnessProblem(witness, found.get(entryId(chain, n)), `The anchor of ${day}`, expiredBefore) ?? [];
  });
}

/** Chains that were erased are recorded as such, before anything of them was deleted. */
async function withoutErased(db: Db, problems: readonly Problem[]): Promise<Problem[]> {
  const byOrganization = Map.groupBy(problems, ({ organizationId }) => organizationId);
  const left: Problem[] = [];
  for (const [organizationId, own] of byOrganization) {
    const erased = await findErasedChains(
      db,
      organizationId,
      own.map(({ chain }) => chain),
    );
    left.push(...own.filter(({ chain }) => !erased.has(chain)));
  }
  return left;
}

const toProblem = ({ n: position, ...problem }: Problem): LedgerProblem => ({ ...problem, position });
