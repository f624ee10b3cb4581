import type { Candidate } from './connector.ts';

/**
 * The clock of a platform and that of our database may differ by this much: a candidate that is older than the commit by no more may be ours.
 */
export const CLOCK_SKEW_MS = 30_000;

/** Far more than an account posts while a commit is ambiguous. Reading costs quota and, on X, money. */
const MAX_PAGES = 10;

/** A platform's list that has its newest entries first. */
export interface NewestFirst<Cursor> {
  /** Reads one page; without a cursor, the first. `next` is absent on the last one. */
  read(cursor: Cursor | undefined): Promise<{ readonly entries: readonly unknown[]; readonly next: Cursor | undefined }>;
  /** When an entry was made: an ISO date, or milliseconds since 1970. Entries without a date are not ours. */
  madeAt(entry: unknown): string | number | undefined;
  /** The entry as a candidate, if it matches our post. */
  candidate(entry: unknown): Candidate | undefined;
}

/**
 * Looks for the post of an ambiguous commit page by page, back to the time of the commit. A page may be short or empty and still have a next one. All pages are read even
 * after a candidate was found, because two candidates leave the outcome unknown. So does a list that does not end: the unread part may contain the post.
 */
export async function searchNewest<Cursor>(committedAfter: Date, list: NewestFirst<Cursor>): Promise<readonly Candidate[]> {
  const since = committedAfter.getTime() - CLOCK_SKEW_MS;
  // By id: new posts move entries from one page to the next.
  const found = new Map<string, Candidate>();
  let cursor: Cursor | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, next } = await list.read(cursor);
    const times = entries.map((entry) => new Date(list.madeAt(entry) ?? NaN).getTime());
    for (const [index, entry] of entries.entries()) {
      const candidate = (times[index] ?? NaN) >= since ? list.candidate(entry) : undefined;
      if (candidate) found.set(candidate.publishId, candidate);
    }
    // The last entry decides: an old post may be pinned to the top.
    if (next === undefined || (times.at(-1) ?? NaN) < since) return [...found.values()];
    cursor = next;
  }
  return [];
}
