import type { Logger } from '@fanfare/runtime';

export interface LiveLease {
  /** Aborted when another process has the lease. */
  readonly lost: AbortSignal;
  /** Renews it no more. */
  release(): void;
}

/**
 * Renews a lease for as long as this process lives, until it is released or lost. A renewal that fails is made up for by the next one, or the lease
 * runs out.
 * @param renew returns false when the lease is lost
 * @param leaseMs how long each renewal lasts: it is renewed three times as often
 */
export function keepLeaseAlive(renew: () => Promise<boolean>, leaseMs: number, log: Logger): LiveLease {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (isOurs) => {
        if (isOurs) return;
        clearInterval(timer);
        lost.abort(new Error('The lease is lost.'));
      },
      (error: unknown) => log.warn({ err: error }, 'could not renew a lease; retrying'),
    );
  }, leaseMs / 3).unref();
  return { lost: lost.signal, release: () => clearInterval(timer) };
}
