import { realTime } from '@fanfare/runtime';
import { hashOf } from './chain.ts';
import { entryId, subjectOf, type EntryDocument, type Head } from './entry.ts';

/** The first thing that is wrong with a chain. */
export interface Problem {
  readonly organizationId: string;
  /** Empty if it is unknown: nothing of the chain is left. */
  readonly postId: string;
  readonly chain: string;
  /** The position of the entry. */
  readonly n: number;
  readonly problem: 'changed' | 'missing' | 'reordered';
  /** For operators. */
  readonly detail: string;
}

/**
 * Finds the first entry of a chain that was changed or reordered, or is missing. The beginning of a chain may have expired.
 * @param entries all that are stored of the chain, or a part of it that follows `previous`, in the order of their ids
 * @param options.expiredBefore entries from before this real time may have expired
 * @param options.previous the entry before the first of them, if it is stored
 */
export function firstProblem(
  entries: readonly EntryDocument[],
  { expiredBefore, previous: before }: { readonly expiredBefore: Date; readonly previous?: EntryDocument | undefined },
): Problem | undefined {
  let previous = before;
  for (const entry of entries) {
    const found = problemOf(entry, previous, entries, expiredBefore);
    if (found) return problem(entry, ...found);
    previous = entry;
  }
  return undefined;
}

type Found = [n: number, problem: Problem['problem'], detail: string];

function problemOf(
  entry: EntryDocument,
  previous: EntryDocument | undefined,
  all: readonly EntryDocument[],
  expiredBefore: Date,
): Found | undefined {
  const { n } = entry;
  if (entry._id !== entryId(entry.chain, n)) return [n, 'reordered', `It is stored as ${entry._id}.`];
  if (hashOf(subjectOf(entry), entry) !== entry.hash) {
    const origin = all.find((other) => hashOf(subjectOf(entry), { ...entry, n: other.n }) === entry.hash);
    return origin ? [n, 'reordered', `Here is what was entry ${origin.n}.`] : [n, 'changed', 'Its hash does not fit what it says.'];
  }
  const expected = (previous?.n ?? 0) + 1;
  if (n > expected) {
    const { previous_at } = entry;
    if (previous_at && realTime(entry.organization_id, previous_at) < expiredBefore) return undefined;
    const first = previous ? expected : n - 1;
    return [first, 'missing', `The entry after the gap is ${n}.`];
  }
  if (entry.previous_hash === (previous?.hash ?? '')) return undefined;
  const isElsewhere = all.some(({ hash }) => hash === entry.previous_hash);
  return isElsewhere
    ? [n, 'reordered', 'It follows another entry than the one before it.']
    : [n - 1 || n, 'changed', `Its hash is not the one that entry ${n} names.`];
}

const problem = ({ chain, post_id, organization_id }: EntryDocument, n: number, what: Problem['problem'], detail: string): Problem => ({
  organizationId: organization_id,
  postId: post_id,
  chain,
  n,
  problem: what,
  detail,
});

/** A chain, and an entry that must be in it: the last one, as another document names it. */
export interface Witness extends Head {
  readonly organizationId: string;
  readonly postId: string;
  readonly chain: string;
}

/**
 * Checks an entry that another document names: the newest entries, or the whole chain, cannot be deleted without notice.
 * @param found the entry at that position, if there is one
 * @param where the document that names it, for the detail
 */
export function witnessProblem(
  { organizationId, postId, chain, n, hash, at }: Witness,
  found: Pick<EntryDocument, 'hash'> | undefined,
  where: string,
  expiredBefore: Date,
): Problem | undefined {
  const which = { organizationId, postId, chain, n };
  if (found) return found.hash === hash ? undefined : { ...which, problem: 'changed', detail: `${where} names another hash.` };
  return realTime(organizationId, at) < expiredBefore ? undefined : { ...which, problem: 'missing', detail: `${where} names it.` };
}
