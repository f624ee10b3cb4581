import { DomainError } from '@fanfare/errors';
import { counter } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { Limits } from '../store/rate-windows.ts';
import type { Taking } from './subject.ts';
import { tightest, type Window } from './windows.ts';

/** What a request is told of its limits, whatever else it is answered. */
export interface Permit {
  readonly headers: Readonly<Record<string, string>>;
  /** There: the request must not be served. Names the window in `detail` and in the member `window`. */
  readonly refused: DomainError | undefined;
}

/** Takes one permit of a subject: `key:{id}`, `user:{id}` or `address:{ip}`. */
export async function takePermit({ limiter }: Pick<Context, 'limiter'>, subject: string, limits: Limits): Promise<Permit> {
  const { windows, refused } = await limiter.take(subject, limits);
  if (refused) countRefusal(subject, refused.window);
  return { headers: rateHeaders(windows), refused: refused && refusalOf(refused) };
}

/** The headers that describe a subject's limits, without taking a permit. */
export async function showLimits(
  { limiter }: Pick<Context, 'limiter'>,
  subject: string,
  limits: Limits,
): Promise<Readonly<Record<string, string>>> {
  return rateHeaders(await limiter.read(subject, limits));
}

function rateHeaders(windows: readonly Window[]): Record<string, string> {
  const window = tightest(windows);
  const limit = String(window?.limit);
  const remaining = String(window?.remaining);
  const reset = String(Math.ceil((window?.resetAt.getTime() ?? 0) / 1000));
  return {
    'RateLimit-Limit': limit,
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': reset,
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  };
}

function refusalOf({ window, waitMs }: NonNullable<Taking['refused']>): DomainError {
  const at = window.resetAt.toISOString();
  return new DomainError(
    'rate_limit_exceeded',
    `The limit of ${window.limit} requests per ${window.name} is reached; it resets at ${at}.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      members: { window: window.name },
    },
  );
}

function countRefusal(subject: string, { name }: Window): void {
  const refusals = counter('fanfare_rate_limited_total', 'Requests refused for their number, by window and kind of caller.', [
    'window',
    'kind',
  ]);
  refusals.inc({ window: name, kind: subject.slice(0, subject.indexOf(':')) });
}
