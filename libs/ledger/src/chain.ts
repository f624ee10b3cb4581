import { createHash } from 'node:crypto';
import type { Detail, Details, Fact, Head, Link, Subject } from './entry.ts';

/** Texts of others, such as an error message of a platform, are cut. */
const MAX_TEXT = 500;

/**
 * Appends facts to a chain. Pure: the caller stores the entries and the new head in the transaction of the change that they describe.
 * @param head the last entry of the chain; undefined if it has none yet
 * @param now by the clock of the organization
 */
export function chained(
  subject: Subject,
  head: Head | undefined,
  facts: readonly Fact[],
  now: Date,
): { readonly links: Link[]; readonly head: Head | undefined } {
  const links: Link[] = [];
  let last = head;
  for (const { kind, actor, requestId = '', details = {} } of facts) {
    // Processes may differ by some milliseconds. A chain never goes back.
    const at = last && last.at > now ? last.at : now;
    const unhashed = {
      n: (last?.n ?? 0) + 1,
      at,
      kind,
      actor,
      request_id: requestId,
      details: plain(details) as Details,
      previous_hash: last?.hash ?? '',
      ...(last && { previous_at: last.at }),
    };
    const link = { ...unhashed, hash: hashOf(subject, unhashed) };
    links.push(link);
    last = { n: link.n, hash: link.hash, at };
  }
  return { links, head: last };
}

/** SHA-256, in hexadecimal, over the canonical encoding of an entry and the hash of the entry before it. */
export function hashOf({ chain, postId, organizationId, businessId }: Subject, link: Omit<Link, 'hash'>): string {
  const { n, at, kind, actor, request_id, details, previous_hash, previous_at } = link;
  const fields = [chain, postId, organizationId, businessId, n, at, kind, actor, request_id, sorted(details), previous_hash, previous_at];
  return createHash('sha256')
    .update(JSON.stringify([ENCODING, ...fields.map((field) => field ?? null)]))
    .digest('hex');
}

/** The version of the encoding; part of every hash. */
const ENCODING = 1;

/** The names of all objects in one order: databases and languages need not keep it. */
function sorted(value: Detail | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as Details).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, because an object orders names that look like numbers.
  return entries.map(([name, one]) => [name, sorted(one)]);
}

/** A value that MongoDB returns exactly as it was stored, so that the hash can be computed again. */
function plain(value: Detail): Detail {
  if (typeof value === 'string') return (value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value).toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const given = Object.entries(value as Details).filter((pair): pair is [string, Detail] => pair[1] !== undefined);
  return Object.fromEntries(given.map(([name, one]) => [name, plain(one)]));
}
