import type { PlatformFailure } from '@fanfare/connectors';
import { ERROR_TYPES, type ErrorType } from './error-type.ts';

/** What the engine does about a failed step. */
type Decision =
  | { readonly kind: 'retry'; readonly inMs: number }
  | { readonly kind: 'refresh_token' }
  | { readonly kind: 'find_published' }
  | { readonly kind: 'fail'; readonly errorType: ErrorType };

/** What the decision depends on besides the failure. */
export interface Situation {
  /** Failures since the last step that succeeded, this one not counted. */
  readonly failures: number;
  /** How many of these failures sent nothing. */
  readonly unsent: number;
  /** Whether the token was refreshed since the last step that succeeded. */
  readonly refreshed: boolean;
  /** Whether an earlier commit of this post to this account may have reached the platform. */
  readonly committedBefore: boolean;
  /** How long the post has been due. */
  readonly dueForMs: number;
  /** Between 0 and 1; spreads retries. */
  readonly jitter: number;
}

const MAX_FAILURES = 10;
/** Calls that were never sent (no connection, open breaker) say nothing about the post: how late it is limits them. */
const MAX_UNSENT_MS = 3600_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5 * 60_000;
/** If a platform does not say how long to wait: the shortest window of any platform. */
const RATE_LIMIT_DELAY_MS = 60_000;
/** A daily cap (TikTok, YouTube) that is used up when the post is due is waited for; a later post is no longer what its author intended. */
const MAX_RATE_LIMITED_MS = 25 * 3600_000;

/** Decides what follows from a failure. Pure; the engine, never a connector, acts on it. */
export function decide(failure: Pick<PlatformFailure, 'class' | 'effect' | 'retryAfterMs'>, situation: Situation): Decision {
  const fail: Decision = { kind: 'fail', errorType: ERROR_TYPES[failure.class] };
  switch (failure.class) {
    case 'token_expired':
      return situation.refreshed ? fail : { kind: 'refresh_token' };
    case 'duplicate':
      // The platform has this content: perhaps from an earlier commit of ours whose response was lost.
      return situation.committedBefore ? { kind: 'find_published' } : fail;
    case 'rate_limited': {
      // Grows too: Google requests a wait of a second, and for a longer one each time.
      const inMs = delayMs(situation, failure.retryAfterMs ?? RATE_LIMIT_DELAY_MS);
      return situation.dueForMs + inMs > MAX_RATE_LIMITED_MS ? fail : { kind: 'retry', inMs };
    }
    case 'transient': {
      const isUnsent = failure.effect === 'not_sent';
      const tries = situation.failures - (isUnsent ? 0 : situation.unsent) + 1;
      const isOver = tries >= MAX_FAILURES && (!isUnsent || situation.dueForMs > MAX_UNSENT_MS);
      return isOver ? fail : { kind: 'retry', inMs: delayMs(situation, failure.retryAfterMs) };
    }
    case 'permission':
    case 'validation':
    case 'media_processing_failed':
      return fail;
  }
}

/** 1 s, 2 s, 4 s, … up to five minutes, each between half and the whole of it; never less than the platform requested. */
export function delayMs({ failures, jitter }: Pick<Situation, 'failures' | 'jitter'>, atLeastMs = 0): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return Math.max(atLeastMs, full * (0.5 + 0.5 * jitter));
}
