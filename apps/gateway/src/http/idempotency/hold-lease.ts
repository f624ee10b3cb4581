import type { Db } from 'mongodb';
import { renewLease } from '../store/idempotency-records.ts';

/** Renews a lease for as long as this process lives, until it is stopped. A renewal that fails is made up for by the next, or the lease is lost. */
export function holdLease(db: Db, id: string, lease: { token: string; ms: number }): { stop(): void } {
  const timer = setInterval(() => {
    renewLease(db, id, lease).then(
      (isHeld) => !isHeld && clearInterval(timer),
      () => undefined,
    );
  }, lease.ms / 4).unref();
  return { stop: () => clearInterval(timer) };
}
