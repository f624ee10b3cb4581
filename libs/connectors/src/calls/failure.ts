import { isNativeError } from 'node:util/types';
import type { State } from '../connector.ts';
import { redact } from './redact.ts';

/**
 * The class of a failure, by which the engine decides. The connector classifies; the engine alone refreshes, retries, waits or stops.
 *
 * - `token_expired`: the access token is expired or revoked.
 * - `permission`: the token is valid, but a scope, role or review is missing.
 * - `validation`: our request is wrong for this platform.
 * - `rate_limited`: a window or quota is used up; `retryAfterMs` says for how long, if the platform does.
 * - `transient`: network, timeout, 5xx, "try again".
 * - `duplicate`: the platform says that the same content exists already.
 * - `media_processing_failed`: the upload was accepted, the processing failed later.
 */
export type FailureClass =
  'token_expired' | 'permission' | 'validation' | 'rate_limited' | 'transient' | 'duplicate' | 'media_processing_failed';

/**
 * What is known about the effect of the call that failed.
 *
 * - `not_sent`: no byte of the request was sent; nothing can have happened.
 * - `rejected`: the platform rejected the request; nothing happened.
 * - `unknown`: the request (or a part of it) was sent, and no response shows the outcome. Repeating a commit now could post twice.
 */
export type Effect = 'not_sent' | 'rejected' | 'unknown';

interface FailureDetails {
  readonly effect: Effect;
  readonly retryAfterMs?: number | undefined;
  readonly detail?: Readonly<Record<string, string | number | undefined>>;
  readonly cause?: unknown;
  readonly retryFrom?: State | undefined;
}

/** The only error that a connector throws. `message` is for the caller: the platform's own text, with tokens removed. */
export class PlatformFailure extends Error {
  override readonly name = 'PlatformFailure';
  readonly class: FailureClass;
  readonly effect: Effect;
  /** The wait that the platform requires, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For operators: HTTP status, platform error codes. Never contains a secret. */
  readonly detail: Readonly<Record<string, string | number>>;
  /**
   * The state for the next attempt, if the current one is not usable any more (an expired container must be rebuilt). Only with
   * `not_sent` and `rejected`.
   */
  readonly retryFrom: State | undefined;

  constructor(failureClass: FailureClass, message: string, more: FailureDetails) {
    super(redact(message), { cause: cleanCause(more.cause) });
    this.class = failureClass;
    this.effect = more.effect;
    this.retryAfterMs = more.retryAfterMs;
    this.detail = cleanDetail(more.detail ?? {});
    this.retryFrom = more.retryFrom;
  }
}

/** An error of a library may contain the whole request; only its message is kept. */
function cleanCause(cause: unknown): Error | undefined {
  if (cause === undefined || cause instanceof PlatformFailure) return cause;
  if (!isNativeError(cause)) return new Error(typeof cause === 'string' ? redact(cause) : typeof cause);
  const clean = new Error(redact(cause.message));
  clean.name = cause.name;
  clean.stack = redact(cause.stack ?? '');
  return clean;
}

function cleanDetail(detail: Readonly<Record<string, string | number | undefined>>): Record<string, string | number> {
  const clean: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(detail)) {
    if (value !== undefined) clean[name] = typeof value === 'string' ? redact(value) : value;
  }
  return clean;
}
