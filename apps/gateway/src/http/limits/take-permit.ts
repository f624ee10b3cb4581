import { DomainError } from '@fanfare/errors';
import { counter } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import type { Counted, PermitResult } from './subject.ts';
import { tightest, type Window } from './windows.ts';

/** The rate-limit headers of a response, and whether the request may be served. */
export interface Permit {
  readonly headers: Readonly<Record<string, string>>;
  /** If set, the request must not be served. Names the window in `detail` and in the member `window`. */
  readonly rejected: DomainError | undefined;
}

/** Takes one permit; see `RateLimiter`. */
export async function takePermit({ limiter }: Pick<Context, 'limiter'>, { id, limits, key }: Counted): Promise<Permit> {
  const { windows, rejected } = await limiter.take(id, limits, key);
  if (!rejected) return { headers: rateHeaders(windows), rejected: undefined };
  const whose = key && !rejected.window.isShared ? 'key' : id.slice(0, id.indexOf(':'));
  countRejection(whose, rejected.window);
  return { headers: rateHeaders(windows), rejected: rejectionOf(rejected, whose) };
}

/** The headers that describe a subject's limits, without taking a permit. */
export async function showLimits(
  { limiter }: Pick<Context, 'limiter'>,
  { id, limits, key }: Counted,
): Promise<Readonly<Record<string, string>>> {
  return rateHeaders(await limiter.read(id, limits, key));
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

/** @param whose key, organization, user or address */
function rejectionOf({ window, waitMs }: NonNullable<PermitResult['rejected']>, whose: string): DomainError {
  const at = window.resetAt.toISOString();
  const [who, together] = window.isShared ? ['Your organization has', ' for all of its API keys together'] : ['You have', ''];
  return new DomainError(
    'rate_limit_exceeded',
    `${who} reached the limit of ${window.limit} requests per ${window.name}${together}. It resets at ${at}.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      members: { window: window.name, limit_of: whose },
    },
  );
}

function countRejection(kind: string, { name }: Window): void {
  const rejections = counter('fanfare_rate_limited_total', 'Requests rejected by rate limits, by window and owner of the limit.', [
    'window',
    'kind',
  ]);
  rejections.inc({ window: name, kind });
}
