import type { PlatformFailure } from '@fanfare/connectors';
import { delayMs } from '../../deliveries/domain/decide.ts';
import { ERROR_TYPES, type ErrorType } from '../../deliveries/domain/error-type.ts';

/** What follows from a failed call. */
type Decision = { readonly kind: 'retry'; readonly inMs: number } | { readonly kind: 'fail'; readonly errorType: ErrorType };

interface Situation {
  /** Failures before this one. */
  readonly failures: number;
  /** How long ago the removal was requested. */
  readonly dueForMs: number;
  /** Between 0 and 1; spreads retries. */
  readonly jitter: number;
}

/** Covers a daily cap and any outage that is worth waiting for; a person who still waits after that should look at the platform. */
const MAX_MS = 25 * 3600_000;
/** If a platform does not say how long to wait. */
const RATE_LIMIT_DELAY_MS = 60_000;

/**
 * Decides what follows from a failure. Deleting is repeatable, so a lost response needs no reconciliation: the call is made again until the platform
 * says that the post does not exist any more. A rejected token was refreshed before.
 */
export function decideRemoval(
  { class: reason, retryAfterMs }: Pick<PlatformFailure, 'class' | 'retryAfterMs'>,
  situation: Situation,
): Decision {
  const isPassing = reason === 'transient' || reason === 'rate_limited';
  const inMs = delayMs(situation, retryAfterMs ?? (reason === 'rate_limited' ? RATE_LIMIT_DELAY_MS : 0));
  const isOver = situation.dueForMs + inMs > MAX_MS;
  return isPassing && !isOver ? { kind: 'retry', inMs } : { kind: 'fail', errorType: ERROR_TYPES[reason] };
}
