import type { Candidate } from './connector.ts';

/**
 * The clock of a platform and that of our database may differ by this much: a candidate that is older than the commit by no more may be ours.
 */
export const CLOCK_SKEW_MS = 30_000;

/** Far more than an account posts while a commit is in doubt. Reading costs quota, and on X money. */
const MAX_PAGES = 10;

/** A platform's list that has its newest entries first. */
export interface NewestFirst<Cursor> {
  /** Reads one page; without a cursor, the first. `next` is absent on the last one. */
  read(cursor: Cursor | undefined): Promise<{ readonly entries: readonly unknown[]; readonly next: Cursor | undefined }>;
  /** When an entry was made: an ISO date, or milliseconds since 1970. What is not dated is not ours. */
  madeAt(entry: unknown): string | number | undefined;
  /** The entry as a candidate, where it looks like ours. */
  candidate(entry: unknown): Candidate | undefined;
}

/**
 * Looks for a lost post page by page, back to the time of its commit. A page may be short or empty and still have a next one. All pages are read even
 * when a candidate was found, since two candidates are no answer. Nor is a list that does not come to an end: what was not read may hold the very post.
 */
export async function searchNewest<Cursor>(committedAfter: Date, list: NewestFirst<Cursor>): Promise<readonly Candidate[]> {
  const since = committedAfter.getTime() - CLOCK_SKEW_MS;
  // By id: what is posted meanwhile moves entries from one page to the next.
  const found = new Map<string, Candidate>();
  let cursor: Cursor | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, next } = await list.read(cursor);
    const times = entries.map((entry) => new Date(list.madeAt(entry) ?? NaN).getTime());
    for (const [index, entry] of entries.entries()) {
      const candidate = (times[index] ?? NaN) >= since ? list.candidate(entry) : undefined;
      if (candidate) found.set(candidate.publishId, candidate);
    }
    // The last one tells: an old post that is pinned to the top does not.
    if (next === undefined || (times.at(-1) ?? NaN) < since) return [...found.values()];
    cursor = next;
  }
  return [];
}
