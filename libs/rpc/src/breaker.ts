import { DomainError } from '@fanfare/errors';
import { gauge, type Logger } from '@fanfare/runtime';
import CircuitBreaker from 'opossum';
import { hasNoResponse, timedOut } from './status.ts';

type Work = () => Promise<unknown>;

/** Runs calls to one target, each with its timeout, or rejects them at once while the circuit breaker is open. */
export type Breaker = (<T>(work: () => Promise<T>, timeoutMs: number) => Promise<T>) & { problem(): string | undefined };

const RESET_MS = 2_000;
/** Detects a process that hangs: it accepts connections but does not respond. Opens after this many timeouts in a row. */
const MAX_TIMEOUTS = 3;
/** Timeouts shorter than this do not count: they are the caller's choice, not the target's failure. */
const MIN_TIMEOUT_MS = 1_000;

/**
 * Creates a circuit breaker. Only a target that does not respond opens it: no server is reachable, or the server hangs. Error responses never do: the
 * cause may be one bad request, or a service behind the target that is unavailable, while everything else works.
 * The breaker has no timeout: calls have their own deadlines.
 */
export function createBreaker(target: string, log: Logger): Breaker {
  const open = gauge('fanfare_breaker_open', '1 while calls to a target are rejected at once because it does not respond, 0 otherwise.', [
    'target',
  ]);
  const breaker = new CircuitBreaker<[Work, number, number], unknown>((work) => work(), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    resetTimeout: RESET_MS,
    rollingCountTimeout: 10_000,
    errorFilter: (error: unknown, _work?: Work, timeoutMs = Infinity, startedAt = Infinity): boolean =>
      !(isWithoutResponse(error) && (breaker.halfOpen || !isTimeout(error) || countsAsTimeout(error, startedAt, timeoutMs))),
  });
  let lastResponseAt = -Infinity;
  let timeouts = 0;
  open.set({ target }, 0);
  breaker.on(
    'open',
    () => (open.set({ target }, 1), log.warn({ target }, 'circuit breaker opened: calls are rejected until the target responds')),
  );
  breaker.on('close', () => (open.set({ target }, 0), log.info({ target }, 'circuit breaker closed: the target responds again')));

  const run = <T>(work: () => Promise<T>, timeoutMs: number): Promise<T> => {
    const startedAt = performance.now();
    return (breaker.fire(work, timeoutMs, startedAt) as Promise<T>).then(
      (response) => (noteResponse(), response),
      (error: unknown) => {
        if ((error as { code?: string }).code === 'EOPENBREAKER') throw unavailable(target, error);
        if (!isWithoutResponse(error)) noteResponse();
        else if (countsAsTimeout(error, startedAt, timeoutMs) && ++timeouts >= MAX_TIMEOUTS && breaker.closed) breaker.open();
        throw error;
      },
    );
  };
  return Object.assign(run, { problem: () => (breaker.opened ? `${target} does not respond` : undefined) });

  function noteResponse(): void {
    lastResponseAt = performance.now();
    timeouts = 0;
  }

  /** Whether the call timed out and no other call got a response in the meantime. A slow method must not open the breaker, however often it is called. */
  function countsAsTimeout(error: unknown, startedAt: number, timeoutMs: number): boolean {
    return isTimeout(error) && !wasShort(error, timeoutMs) && lastResponseAt < startedAt;
  }
}

const isWithoutResponse = (error: unknown): boolean => error instanceof DomainError && hasNoResponse(error.cause);

const isTimeout = (error: unknown): boolean => error instanceof DomainError && timedOut(error.cause);

/** By its timeout, not by the time that passed: that is longer if this process stood still. */
const wasShort = (error: unknown, timeoutMs: number): boolean => isTimeout(error) && timeoutMs < MIN_TIMEOUT_MS;

function unavailable(target: string, cause: unknown): DomainError {
  return new DomainError('internal_error', `The ${target} service is temporarily unavailable.`, {
    retryAfterSeconds: Math.ceil(RESET_MS / 1000),
    cause,
  });
}
