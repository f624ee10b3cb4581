import type { IntegrationStatus } from '@fanfare/contracts/publisher';

const DAY_MS = 24 * 3600_000;
/** A token with less than this, or less than a tenth of its life left, is refreshed. */
const REFRESH_AHEAD_MS = 5 * 60_000;
/** A person who has to connect an account again hears of it this long before; so long before its end a refresh token is used, if only to learn whether that moves it. */
const EXPIRING_MS = 7 * DAY_MS;

/** What tokens that were granted at `at` mean for an account. */
export interface TokenPlan {
  readonly status: Extract<IntegrationStatus, 'INTEGRATION_STATUS_CONNECTED' | 'INTEGRATION_STATUS_EXPIRING'>;
  /** Absent when they do not end. */
  readonly expiresAt?: Date;
  /** When nothing renews them any more but the person; absent when that is never, or nobody knows. */
  readonly reconnectBy?: Date;
  /** When to look at them again: to refresh them, or to say that they end. Absent when they do not end. */
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
  // Once it has been told, all that is left to do is to renew as long as that works, or to tell of the end.
  const toldInMs = isSoon || endsInMs === undefined ? [] : [Math.max(endsInMs - EXPIRING_MS, refreshable ? endsInMs / 2 : 0)];
  const lastInMs = expiresInMs === undefined ? [] : [refreshable ? expiresInMs - aheadOf(expiresInMs) : expiresInMs];
  const checksInMs = [...toldInMs, ...lastInMs];
  return {
    status: isSoon ? 'INTEGRATION_STATUS_EXPIRING' : 'INTEGRATION_STATUS_CONNECTED',
    ...(expiresInMs !== undefined && { expiresAt: after(expiresInMs) }),
    ...(endsInMs !== undefined && { reconnectBy: after(endsInMs) }),
    ...(checksInMs.length > 0 && { checkAt: after(Math.min(...checksInMs)) }),
  };
}

/** What is left at `at` of a refresh token that stays as it was. */
export function remaining(account: { readonly reconnect_by?: Date } | null, at: Date): Pick<Granted, 'refreshExpiresInMs'> {
  return account?.reconnect_by ? { refreshExpiresInMs: Math.max(0, account.reconnect_by.getTime() - at.getTime()) } : {};
}

/** Never in the first half of its life: a token of seconds would be refreshed without end. */
function aheadOf(expiresInMs: number): number {
  return Math.min(Math.max(expiresInMs / 10, REFRESH_AHEAD_MS), expiresInMs / 2);
}
