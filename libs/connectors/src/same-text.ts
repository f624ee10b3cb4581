/**
 * The clock of a platform and that of our database may differ by this much: a candidate that is older than the commit by no more may be ours.
 */
export const CLOCK_SKEW_MS = 30_000;

/** Whether a platform's copy of a text is ours: platforms normalise, trim and fold white space. */
export function sameText(ours: string, theirs: string): boolean {
  return folded(ours) === folded(theirs);
}

function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Whether something that a platform dates `createdAt` can have been made by a commit after `committedAfter`. */
export function isNewer(createdAt: string | undefined, committedAfter: Date): boolean {
  return createdAt !== undefined && Date.parse(createdAt) >= committedAfter.getTime() - CLOCK_SKEW_MS;
}
