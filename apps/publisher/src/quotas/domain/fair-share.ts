/** How one organization stands in a quota that all share, at one moment of its window. */
export interface Standing {
  readonly limit: number;
  /** What all have spent, this organization included. */
  readonly used: number;
  /** What this organization has spent. */
  readonly own: number;
  /** How many organizations have spent or asked in this window, this one included. */
  readonly takers: number;
  /** How much of the window is still to come, between 1 at its start and 0 at its end. */
  readonly left: number;
}

/**
 * Whether an organization may take this much of a quota. Each has a share, of which one more is always kept ready for whoever comes next: up to it an
 * organization takes as long as there is anything. Beyond it, only what leaves a reserve, which is half of the quota at the start of the window and
 * nothing at its end. So one alone can use everything in the course of a window, and one with a thousand posts at its start leaves half to others.
 */
export function mayReserve(amount: number, { limit, used, own, takers, left }: Standing): boolean {
  const remains = limit - used - amount;
  if (remains < 0) return false;
  return own + amount <= limit / (takers + 1) || remains >= reserveOf(limit, left);
}

/** How long until it may, in milliseconds, if nobody else takes anything until then: until the reserve has shrunk enough, or the window ends. */
export function msUntilMayReserve(amount: number, standing: Standing, windowMs: number): number {
  const { limit, used, left } = standing;
  if (mayReserve(amount, standing)) return 0;
  const remains = limit - used - amount;
  const enough = remains < 0 ? 0 : Math.min(left, (2 * (remains + 1)) / limit);
  // The reserve has shrunk below the next whole number just after that point.
  return Math.min(Math.ceil((left - enough) * windowMs) + 1, Math.ceil(left * windowMs));
}

const reserveOf = (limit: number, left: number) => Math.floor((limit / 2) * left);
