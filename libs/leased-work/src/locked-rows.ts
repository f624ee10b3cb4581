/** A row is tried again so soon. */
const DELAY_MS = 1_000;

export interface LockedRows {
  add(id: string): void;
  ids(): string[];
  /** Selects all other rows. */
  others(): { readonly _id?: { readonly $nin: readonly string[] } };
}

/**
 * Rows that a transaction of another process has written and not committed. MongoDB lets other writes to them wait until it ends: if its process was killed,
 * until `transactionLifetimeLimitSeconds` have passed, a minute by default. Other rows must not wait for that.
 */
export function createLockedRows(): LockedRows {
  const until = new Map<string, number>();
  const ids = () => {
    for (const [id, at] of until) if (at <= performance.now()) until.delete(id);
    return [...until.keys()];
  };
  return {
    add: (id) => void until.set(id, performance.now() + DELAY_MS),
    ids,
    others: () => (until.size > 0 ? { _id: { $nin: ids() } } : {}),
  };
}
