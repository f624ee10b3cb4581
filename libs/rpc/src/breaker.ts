import { DomainError } from '@fanfare/errors';
import { gauge, type Logger } from '@fanfare/runtime';
import CircuitBreaker from 'opossum';
import { didNotAnswer } from './status.ts';

type Work = () => Promise<unknown>;

/** Runs calls to one target, and refuses them at once while the target is known not to answer. */
export type Breaker = (<T>(work: () => Promise<T>) => Promise<T>) & { problem(): string | undefined };

const RESET_MS = 2_000;

/**
 * Only a target that does not answer opens it. An answer that says no is an answer, also one that says that something failed: it may be one
 * bad request, or a service behind the target that is away, and the rest of the target works. Deadlines are the calls' own.
 */
export function createBreaker(target: string, log: Logger): Breaker {
  const open = gauge('fanfare_breaker_open', 'Whether calls to a target are refused at once (1) or made (0).', ['target']);
  const breaker = new CircuitBreaker<[Work], unknown>((work) => work(), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    resetTimeout: RESET_MS,
    rollingCountTimeout: 10_000,
    errorFilter: (error: unknown) => !(error instanceof DomainError && didNotAnswer(error.cause)),
  });
  open.set({ target }, 0);
  breaker.on('open', () => (open.set({ target }, 1), log.warn({ target }, 'breaker opened')));
  breaker.on('close', () => (open.set({ target }, 0), log.info({ target }, 'breaker closed')));

  const run = <T>(work: () => Promise<T>): Promise<T> =>
    (breaker.fire(work) as Promise<T>).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'EOPENBREAKER') throw error;
      throw new DomainError('internal_error', `The ${target} service does not answer at the moment.`, {
        retryAfterSeconds: Math.ceil(RESET_MS / 1000),
        cause: error,
      });
    });
  return Object.assign(run, { problem: () => (breaker.opened ? `${target} does not answer` : undefined) });
}
