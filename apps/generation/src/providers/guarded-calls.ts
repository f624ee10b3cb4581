import CircuitBreaker from 'opossum';
import type { Logger } from '@fanfare/runtime';
import { gauge } from '@fanfare/runtime';
import { ProviderFailed } from './provider-failed.ts';

type Work = () => Promise<unknown>;

const RESET_MS = 10_000;

/** A circuit breaker for calls to one provider: rejects calls immediately while the provider is known to be unavailable. */
export function createGuard(name: string, who: string, log: Logger): <T>(work: () => Promise<T>) => Promise<T> {
  const open = gauge('fanfare_breaker_open', '1 while calls to a target are rejected at once because it does not respond, 0 otherwise.', [
    'target',
  ]);
  const breaker = new CircuitBreaker<[Work], unknown>((work) => work(), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 5,
    resetTimeout: RESET_MS,
    rollingCountTimeout: 30_000,
    // A provider that rejects a request is available.
    errorFilter: (error: unknown) => !(error instanceof ProviderFailed && error.isPassing),
  });
  open.set({ target: name }, 0);
  breaker.on(
    'open',
    () => (
      open.set({ target: name }, 1),
      log.warn({ target: name }, 'circuit breaker opened: calls are rejected until the target responds')
    ),
  );
  breaker.on(
    'close',
    () => (open.set({ target: name }, 0), log.info({ target: name }, 'circuit breaker closed: the target responds again')),
  );
  return async (work) => {
    try {
      return (await breaker.fire(work)) as never;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EOPENBREAKER') throw error;
      throw new ProviderFailed(`${who} is temporarily unavailable.`, { isPassing: true, retryAfterMs: RESET_MS, cause: error });
    }
  };
}
