import type { IntegrationStatus } from '@fanfare/contracts/publisher';

const DAY_MS = 24 * 3600_000;
/** A token with less than this, or less than a tenth of its life left, is refreshed. */
const REFRESH_AHEAD_MS = 5 * 60_000;
/** A person who has to connect an account again hears of it this long before. */
const EXPIRING_MS = 7 * DAY_MS;

/** What tokens that were granted at `at` mean for an account. */
export interface TokenPlan {
  readonly status: Extract<IntegrationStatus, 'INTEGRATION_STATUS_CONNECTED' | 'INTEGRATION_STATUS_EXPIRING'>;
  /** Absent when they do not end. */
  readonly expiresAt?: Date;
  /** When to look at them again: to refresh them, or to say that they end. Absent when they do not end. */
  readonly checkAt?: Date;
}

/** @param refreshable whether they can be refreshed without the person */
export function planTokens(at: Date, { expiresInMs }: { readonly expiresInMs?: number }, refreshable: boolean): TokenPlan {
  if (expiresInMs === undefined) return { status: 'INTEGRATION_STATUS_CONNECTED' };
  const after = (ms: number) => new Date(at.getTime() + ms);
  const expiresAt = after(expiresInMs);
  if (refreshable) {
    // Never in the first half of its life: a token of seconds would be refreshed without end.
    const ahead = Math.min(Math.max(expiresInMs / 10, REFRESH_AHEAD_MS), expiresInMs / 2);
    return { status: 'INTEGRATION_STATUS_CONNECTED', expiresAt, checkAt: after(expiresInMs - ahead) };
  }
  if (expiresInMs > EXPIRING_MS) return { status: 'INTEGRATION_STATUS_CONNECTED', expiresAt, checkAt: after(expiresInMs - EXPIRING_MS) };
  return { status: 'INTEGRATION_STATUS_EXPIRING', expiresAt, checkAt: expiresAt };
}
