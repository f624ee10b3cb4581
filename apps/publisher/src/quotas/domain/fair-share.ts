/** The use of a shared quota by one organization, at one moment of its window. */
export interface Standing {
  readonly limit: number;
  /** What all organizations have used, including this one. */
  readonly used: number;
  /** What this organization has used. */
  readonly own: number;
  /** How many organizations have used or requested some in this window, including this one. */
  readonly takers: number;
  /** The part of the window that is left, from 1 at its start to 0 at its end. */
  readonly left: number;
}

/**
 * Whether an organization may reserve this much of a quota. Each has a share, and one more share is always kept for the next organization. Up to its share an
 * organization can reserve as long as anything is left. Beyond it, a floor must stay unused: half of the quota at the start of the window and
 * nothing at its end. So a single organization can use everything during a window, and one with a thousand posts at its start leaves half for others.
 */
export function mayReserve(amount: number, { limit, used, own, takers, left }: Standing): boolean {
  const remains = limit - used - amount;
  if (remains < 0) return false;
  return own + amount <= limit / (takers + 1) || remains >= reserveOf(limit, left);
}

/** Milliseconds until it may, if no one else reserves until then: until the floor is low enough, or the window ends. */
export function msUntilMayReserve(amount: number, standing: Standing, windowMs: number): number {
  const { limit, used, left } = standing;
  if (mayReserve(amount, standing)) return 0;
  const remains = limit - used - amount;
  const enough = remains < 0 ? 0 : Math.min(left, (2 * (remains + 1)) / limit);
  // The floor falls below the next whole number just after that point.
  return Math.min(Math.ceil((left - enough) * windowMs) + 1, Math.ceil(left * windowMs));
}

const reserveOf = (limit: number, left: number) => Math.floor((limit / 2) * left);
