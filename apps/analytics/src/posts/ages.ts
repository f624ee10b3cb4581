const HOUR_MS = 3_600_000;

/** The ages, in hours, at which the statistics of a post are stored: 1, 6 and 24 hours; 3, 7, 14, 30 and 90 days. */
export const AGES = [1, 6, 24, 72, 168, 336, 720, 2_160] as const;

/** Snapshots of posts that were published together are spread over a tenth of their age, at most six hours. */
const SPREAD = 0.1;
const MOST_SPREAD_HOURS = 6;

/**
 * When a snapshot is due.
 * @param position of the post among others, from 0 to 1; always the same for a post
 */
export function plannedAt(publishedAt: Date, ageHours: number, position: number, timeScale = 1): Date {
  const spread = Math.min(ageHours * SPREAD, MOST_SPREAD_HOURS) * position;
  return new Date(publishedAt.getTime() + (ageHours + spread) * HOUR_MS * timeScale);
}

/** The age of the snapshot to take now, if `next` was scheduled: missed ages are skipped. */
export function ageDue(next: number, hours: number): number {
  return AGES.findLast((age) => age <= hours && age >= next) ?? next;
}

export const ageAfter = (age: number): number | undefined => AGES.find((one) => one > age);

export const hoursBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / HOUR_MS;
