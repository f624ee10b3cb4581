/**
 * What went wrong, in the terms that the engine decides by. The connector classifies; the engine alone refreshes, retries, waits or stops.
 *
 * - `token_expired`: the access token is expired or revoked.
 * - `permission`: the token is valid, but a scope, role or review is missing.
 * - `validation`: our request is wrong for this platform.
 * - `rate_limited`: a window or quota is used up; `retryAfterMs` says for how long, where the platform tells.
 * - `transient`: network, time-out, 5xx, "try again".
 * - `duplicate`: the platform says that the same content exists already.
 * - `media_processing_failed`: the upload was taken, the processing failed later.
 */
export type FailureClass =
  'token_expired' | 'permission' | 'validation' | 'rate_limited' | 'transient' | 'duplicate' | 'media_processing_failed';

/**
 * What is known about the effect of the call that failed.
 *
 * - `not_sent`: no byte of the request left us; nothing can have happened.
 * - `refused`: the platform answered and said no; nothing happened.
 * - `unknown`: the request (or a part of it) left us and no answer that settles it came back. Repeating a commit now could post twice.
 */
export type Effect = 'not_sent' | 'refused' | 'unknown';

/** The only error that a connector lets out. `message` is the platform's own words, cleaned of tokens, for the caller to read. */
export class PlatformFailure extends Error {
  override readonly name = 'PlatformFailure';
  readonly class: FailureClass;
  readonly effect: Effect;
  /** How long the platform asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For operators: HTTP status, platform error codes. Never holds a secret. */
  readonly detail: Readonly<Record<string, string | number>>;

  constructor(
    failureClass: FailureClass,
    message: string,
    more: { effect: Effect; retryAfterMs?: number | undefined; detail?: Readonly<Record<string, string | number>>; cause?: unknown },
  ) {
    super(message, { cause: more.cause });
    this.class = failureClass;
    this.effect = more.effect;
    this.retryAfterMs = more.retryAfterMs;
    this.detail = more.detail ?? {};
  }
}
