import type { IntegrationStatus } from '@fanfare/contracts/publisher';

const DAY_MS = 24 * 3600_000;
/** A token is refreshed when less than this, or less than a tenth of its lifetime, is left. */
const REFRESH_AHEAD_MS = 5 * 60_000;
/** How long before the end a person is asked to reconnect, and a refresh token is used to learn whether that extends it. */
const EXPIRING_MS = 7 * DAY_MS;

/** What follows for an account from tokens that were granted at `at`. */
interface TokenPlan {
  readonly status: Extract<IntegrationStatus, 'INTEGRATION_STATUS_CONNECTED' | 'INTEGRATION_STATUS_EXPIRING'>;
  /** Absent when they do not expire. */
  readonly expiresAt?: Date;
  /** When only the person can renew them; absent when that never happens or is unknown. */
  readonly reconnectBy?: Date;
  /** When to check them again: to refresh them, or to report that they expire. Absent when they do not expire. */
  readonly checkAt?: Date;
}

interface Granted {
  readonly expiresInMs?: number;
  readonly refreshExpiresInMs?: number;
}

/** @param refreshable whether they can be refreshed without the person */
export function planTokens(at: Date, { expiresInMs, refreshExpiresInMs }: Granted, refreshable: boolean): TokenPlan {
  const after = (ms: number) => new Date(at.getTime() + ms);
  const endsInMs = refreshable ? refreshExpiresInMs : expiresInMs;
  const isSoon = endsInMs !== undefined && endsInMs <= EXPIRING_MS;
  // After the expiry was announced, only two things are left: renew while that works, and report the end.
  const reportedInMs = isSoon || endsInMs === undefined ? [] : [Math.max(endsInMs - EXPIRING_MS, refreshable ? endsInMs / 2 : 0)];
  const lastInMs = expiresInMs === undefined ? [] : [refreshable ? expiresInMs - aheadOf(expiresInMs) : expiresInMs];
  const checksInMs = [...reportedInMs, ...lastInMs];
  return {
    status: isSoon ? 'INTEGRATION_STATUS_EXPIRING' : 'INTEGRATION_STATUS_CONNECTED',
    ...(expiresInMs !== undefined && { expiresAt: after(expiresInMs) }),
    ...(endsInMs !== undefined && { reconnectBy: after(endsInMs) }),
    ...(checksInMs.length > 0 && { checkAt: after(Math.min(...checksInMs)) }),
  };
}

/**
 * When access certainly ends unless the person reconnects the account. While tokens can be refreshed, that time may still move; it no longer does when
 * refreshing them has not extended it, and the account is `expiring`.
 */
export const accessEndsAt = (account: {
  readonly status: IntegrationStatus;
  readonly refreshable?: boolean;
  readonly reconnect_by?: Date;
}): Date | undefined =>
  account.refreshable === false || account.status === 'INTEGRATION_STATUS_EXPIRING' ? account.reconnect_by : undefined;

/** The remaining lifetime at `at` of a refresh token that was not replaced. */
export function remaining(account: { readonly reconnect_by?: Date } | null, at: Date): Pick<Granted, 'refreshExpiresInMs'> {
  return account?.reconnect_by ? { refreshExpiresInMs: Math.max(0, account.reconnect_by.getTime() - at.getTime()) } : {};
}

/** Never in the first half of its lifetime: a token that lives for seconds would be refreshed in a loop. */
function aheadOf(expiresInMs: number): number {
  return Math.min(Math.max(expiresInMs / 10, REFRESH_AHEAD_MS), expiresInMs / 2);
}
