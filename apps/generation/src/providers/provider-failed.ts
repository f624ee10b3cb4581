/** A call to a provider failed. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
  /** Whether a retry may help: after a rate limit, a timeout, an unavailable server. */
  readonly isPassing: boolean;
  /** When to retry, if the provider said so. */
  readonly retryAfterMs: number | undefined;

  /** @param message for the caller of the API, without addresses, keys or prompts */
  constructor(
    message: string,
    { isPassing, retryAfterMs, cause }: { isPassing: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error for an HTTP status. @param who such as `The language model` */
export function failureOf(who: string, status: number, retryAfter: string | null | undefined, cause: unknown): ProviderFailed {
  const retryAfterMs = retryAfterOf(retryAfter);
  if (status === 401 || status === 403) return new ProviderFailed(`${who} rejected the configured key.`, { isPassing: false, cause });
  if (status === 404) return new ProviderFailed(`${who} does not have the configured model.`, { isPassing: false, cause });
  if (status === 429) return new ProviderFailed(`${who} is over its request limit.`, { isPassing: true, retryAfterMs, cause });
  if (status === 408 || status >= 500)
    return new ProviderFailed(`${who} is temporarily unavailable.`, { isPassing: true, retryAfterMs, cause });
  return new ProviderFailed(`${who} rejected the request (status ${status}).`, { isPassing: false, cause });
}

const MAX_RETRY_AFTER_MS = 10 * 60_000;

function retryAfterOf(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : undefined;
}
