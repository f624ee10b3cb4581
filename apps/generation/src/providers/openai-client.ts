import type { Logger } from '@fanfare/runtime';
import type OpenAI from 'openai';
import { createGuard } from './guarded-calls.ts';
import { failureOf, ProviderFailed } from './provider-failed.ts';

/** An OpenAI-compatible API. */
export interface ModelSettings {
  /** Including the version: https://api.openai.com/v1 */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Timeout of one call. */
  readonly timeoutMs: number;
}

export interface OpenAiClient {
  /** @throws ProviderFailed, or the signal's reason if the caller aborted */
  call<T>(work: (client: OpenAI, options: { signal: AbortSignal }) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Loads the client on first use, because it is large. It does not retry; callers do.
 * @param who the name in messages, such as `The language model`
 */
export function createOpenAi(name: string, who: string, { url, key, timeoutMs }: ModelSettings, log: Logger): OpenAiClient {
  const guard = createGuard(name, who, log);
  let loading: Promise<OpenAI> | undefined;
  const load = () =>
    (loading ??= import('openai').then(
      ({ default: Client }) => new Client({ baseURL: url, apiKey: key || 'none', maxRetries: 0, timeout: timeoutMs, logLevel: 'off' }),
    ));
  return {
    call: (work, signal) =>
      guard(async () => {
        const client = await load();
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        try {
          return await work(client, { signal: limited });
        } catch (error) {
          signal.throwIfAborted();
          throw asFailure(who, error, limited.aborted);
        }
      }),
  };
}

function asFailure(who: string, error: unknown, isSlow: boolean): ProviderFailed {
  if (error instanceof ProviderFailed) return error;
  const { status, headers } = error as { status?: number; headers?: Headers };
  if (typeof status === 'number') return failureOf(who, status, headers?.get('retry-after'), error);
  return new ProviderFailed(isSlow ? `${who} did not respond in time.` : `${who} is temporarily unavailable.`, {
    isPassing: true,
    cause: error,
  });
}
