/**
 * Milliseconds until enough of what was used in a rolling window is older than the window; undefined when unknown, because something other
 * than us used it.
 * @param spent each with its age
 */
export function untilRoom(
  spent: readonly { readonly amount: number; readonly ageMs: number }[],
  missing: number,
  windowMs: number,
): number | undefined {
  let freed = 0;
  for (const { amount, ageMs } of spent.toSorted((one, other) => other.ageMs - one.ageMs)) {
    freed += amount;
    if (freed >= missing) return Math.max(1, windowMs - ageMs);
  }
  return undefined;
}
