import { DomainError } from '@fanfare/errors';

/** Failures that a retry cannot resolve: the account needs a change first. */
const LASTING = ['SOCIAL_TOKEN_EXPIRED', 'conflict', 'resource_not_found', 'invalid_request'];

const isLasting = (error: unknown): boolean => error instanceof DomainError && LASTING.includes(error.code);

/** For how long the read quota is exhausted, in milliseconds; undefined for other failures. */
export const quotaWaitMs = (error: unknown): number | undefined =>
  error instanceof DomainError && error.members['quota'] !== undefined ? (error.retryAfterSeconds ?? 60) * 1_000 : undefined;

/** Retries failed snapshots for about three hours. */
export const retrySettings = (timeScale: number) => ({
  attempts: 8,
  firstDelayMs: 60_000 * timeScale,
  maxDelayMs: 3_600_000 * timeScale,
  passes: (error: unknown) => !isLasting(error),
  leastDelayMs: (error: unknown) =>
    error instanceof DomainError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1_000 * timeScale : undefined,
});
