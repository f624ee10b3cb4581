import type { Logger } from '@fanfare/runtime';

export interface LiveLease {
  /** Aborted when another process has the lease. */
  readonly lost: AbortSignal;
  /** Stops renewing it. */
  release(): void;
}

/**
 * Renews a lease for as long as this process lives, until it is released or lost. After a failed renewal the next one may succeed; otherwise the
 * lease expires. One renewal at a time: if the database takes longer than the time between two of them, they would queue up, each with nothing to add, and what the work
 * writes would wait behind them.
 * @param renew returns false if the lease is lost
 * @param leaseMs how long each renewal lasts; the lease is renewed three times as often
 */
export function keepLeaseAlive(renew: () => Promise<boolean>, leaseMs: number, log: Logger): LiveLease {
  const lost = new AbortController();
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    void renew()
      .then(
        (isOurs) => {
          if (isOurs) return;
          clearInterval(timer);
          lost.abort(new Error('The lease was lost.'));
        },
        (error: unknown) => log.warn({ err: error }, 'could not renew a lease; retrying'),
      )
      .finally(() => (isRenewing = false));
  }, leaseMs / 3).unref();
  return { lost: lost.signal, release: () => clearInterval(timer) };
}
