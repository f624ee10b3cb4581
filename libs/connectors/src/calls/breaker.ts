import CircuitBreaker from 'opossum';
import { PlatformFailure } from './failure.ts';
import type { PlatformResponse } from './http.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  run(attempt: () => Promise<PlatformResponse>): Promise<PlatformResponse>;
  shutdown(): void;
}

/** Carries a response that says the platform is unhealthy through opossum, which counts only rejections. */
class Unhealthy extends Error {
  readonly response: PlatformResponse;
  constructor(response: PlatformResponse) {
    super(`status ${response.status}`);
    this.response = response;
  }
}

/**
 * Circuit breaker of one platform. It counts lost connections, timeouts and responses of 500 and above; any other response (an expired token, a
 * rejected post, a used-up quota) concerns one account and never opens it. Opens when half of at least ten calls within ten seconds failed.
 *
 * @param resetMs how long it stays open before it lets one call through, in milliseconds
 */
export function createBreaker(resetMs: number, onChange: (state: BreakerState) => void): Breaker {
  let openUntil = 0;
  const breaker = new CircuitBreaker((attempt: () => Promise<PlatformResponse>) => attempt(), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    rollingCountTimeout: 10_000,
    resetTimeout: resetMs,
  });
  breaker.on('open', () => {
    openUntil = performance.now() + resetMs;
    onChange('open');
  });
  breaker.on('halfOpen', () => onChange('half_open'));
  breaker.on('close', () => onChange('closed'));

  return {
    async run(attempt) {
      try {
        return await breaker.fire(async () => {
          const response = await attempt();
          if (response.status >= 500) throw new Unhealthy(response);
          return response;
        });
      } catch (error) {
        if (error instanceof Unhealthy) return error.response;
        if (!(error instanceof Error && CircuitBreaker.isOurError(error))) throw error;
        throw new PlatformFailure('transient', 'The platform is failing, so it is not called for a short time.', {
          effect: 'not_sent',
          retryAfterMs: Math.max(1_000, Math.ceil(openUntil - performance.now())),
        });
      }
    },
    shutdown: () => breaker.shutdown(),
  };
}
