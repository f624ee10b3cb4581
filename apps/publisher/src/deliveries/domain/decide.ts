import type { PlatformFailure } from '@fanfare/connectors';
import { ERROR_TYPES, type ErrorType } from './error-type.ts';

/** What the engine does about a failed step. */
export type Decision =
  | { readonly kind: 'retry'; readonly inMs: number }
  | { readonly kind: 'refresh_token' }
  | { readonly kind: 'find_published' }
  | { readonly kind: 'fail'; readonly errorType: ErrorType };

/** What the decision depends on besides the failure. */
export interface Situation {
  /** Failures since the last step that succeeded, this one not counted. */
  readonly failures: number;
  /** Those of them of which nothing was sent. */
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
/** What cannot even be sent (no connection, our own breaker) says nothing of the post: that is bounded by how late the post is. */
const MAX_UNSENT_MS = 3600_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** Where a platform does not say how long: the shortest window that one of them has. */
const RATE_LIMIT_PAUSE_MS = 60_000;
/** A cap for a day (TikTok, YouTube) that is used up when the post is due is waited for; what is later than that is no longer what its author meant. */
const MAX_RATE_LIMITED_MS = 25 * 3600_000;

/** The table of what follows from what. Pure; the engine, never a connector, acts on it. */
export function decide(failure: Pick<PlatformFailure, 'class' | 'effect' | 'retryAfterMs'>, situation: Situation): Decision {
  const fail: Decision = { kind: 'fail', errorType: ERROR_TYPES[failure.class] };
  switch (failure.class) {
    case 'token_expired':
      return situation.refreshed ? fail : { kind: 'refresh_token' };
    case 'duplicate':
      // The platform has this content: perhaps from an earlier commit of ours whose answer was lost.
      return situation.committedBefore ? { kind: 'find_published' } : fail;
    case 'rate_limited': {
      // Grows too: Google asks for a second, and for more of them each time.
      const inMs = pauseMs(situation, failure.retryAfterMs ?? RATE_LIMIT_PAUSE_MS);
      return situation.dueForMs + inMs > MAX_RATE_LIMITED_MS ? fail : { kind: 'retry', inMs };
    }
    case 'transient': {
      const isUnsent = failure.effect === 'not_sent';
      const tries = situation.failures - (isUnsent ? 0 : situation.unsent) + 1;
      const isOver = tries >= MAX_FAILURES && (!isUnsent || situation.dueForMs > MAX_UNSENT_MS);
      return isOver ? fail : { kind: 'retry', inMs: pauseMs(situation, failure.retryAfterMs) };
    }
    case 'permission':
    case 'validation':
    case 'media_processing_failed':
      return fail;
  }
}

/** 1 s, 2 s, 4 s, … up to five minutes, each between half and the whole of it; never less than what was asked for. */
export function pauseMs({ failures, jitter }: Pick<Situation, 'failures' | 'jitter'>, atLeastMs = 0): number {
  const full = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return Math.max(atLeastMs, full * (0.5 + 0.5 * jitter));
}
