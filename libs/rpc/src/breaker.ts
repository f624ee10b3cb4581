import { DomainError } from '@fanfare/errors';
import { gauge, type Logger } from '@fanfare/runtime';
import CircuitBreaker from 'opossum';
import { hasNoResponse, ranOutOfTime } from './status.ts';

type Work = () => Promise<unknown>;

/** Runs calls to one target, and refuses them at once while the target is known not to respond. */
export type Breaker = (<T>(work: () => Promise<T>) => Promise<T>) & { problem(): string | undefined };

const RESET_MS = 2_000;
/** A process that hangs takes connections and answers nothing: after so many calls, one after another, whose time ran out without a word of it. */
const SILENT_CALLS = 3;
/** A call whose time ran out sooner tells of its caller's haste, and nothing of the target. */
const PATIENCE_MS = 1_000;

/**
 * Only a target that does not respond opens it: because nobody is there, or because it hangs. A response that says no is a response, also one that
 * says that something failed: it may be one bad request, or a service behind the target that is away, and the rest of the target works.
 * Deadlines are the calls' own.
 */
export function createBreaker(target: string, log: Logger): Breaker {
  const open = gauge('fanfare_breaker_open', '1 while calls to a target are rejected at once because it does not respond, 0 otherwise.', [
    'target',
  ]);
  const breaker = new CircuitBreaker<[Work, number], unknown>((work) => work(), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    resetTimeout: RESET_MS,
    rollingCountTimeout: 10_000,
    errorFilter: (error: unknown, _work?: Work, askedAt = 0): boolean =>
      !(isWithoutResponse(error) && (breaker.halfOpen || !isHasty(error, askedAt))),
  });
  let heardAt = -Infinity;
  let silentCalls = 0;
  open.set({ target }, 0);
  breaker.on(
    'open',
    () => (open.set({ target }, 1), log.warn({ target }, 'circuit breaker opened: calls are rejected until the target responds')),
  );
  breaker.on('close', () => (open.set({ target }, 0), log.info({ target }, 'circuit breaker closed: the target responds again')));

  const run = <T>(work: () => Promise<T>): Promise<T> => {
    const askedAt = performance.now();
    return (breaker.fire(work, askedAt) as Promise<T>).then(
      (response) => (heard(), response),
      (error: unknown) => {
        if ((error as { code?: string }).code === 'EOPENBREAKER') throw refusal(target, error);
        if (!isWithoutResponse(error)) heard();
        else if (isSilence(error, askedAt) && ++silentCalls >= SILENT_CALLS && breaker.closed) breaker.open();
        throw error;
      },
    );
  };
  return Object.assign(run, { problem: () => (breaker.opened ? `${target} does not respond` : undefined) });

  function heard(): void {
    heardAt = performance.now();
    silentCalls = 0;
  }

  /** Whether nothing at all came while this call waited: one method alone that is slow does not stop the others. */
  function isSilence(error: unknown, askedAt: number): boolean {
    return causeRanOutOfTime(error) && !isHasty(error, askedAt) && heardAt < askedAt;
  }
}

const isWithoutResponse = (error: unknown): boolean => error instanceof DomainError && hasNoResponse(error.cause);

const causeRanOutOfTime = (error: unknown): boolean => error instanceof DomainError && ranOutOfTime(error.cause);

const isHasty = (error: unknown, askedAt: number): boolean => causeRanOutOfTime(error) && performance.now() - askedAt < PATIENCE_MS;

function refusal(target: string, cause: unknown): DomainError {
  return new DomainError('internal_error', `The ${target} service is temporarily unavailable.`, {
    retryAfterSeconds: Math.ceil(RESET_MS / 1000),
    cause,
  });
}
