import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { addressSubject } from '../limits/address-subject.ts';
import { keyLimits, userLimits } from '../limits/plan-limits.ts';
import { showLimits, takePermit } from '../limits/take-permit.ts';
import type { Caller } from '../store/callers.ts';
import { DEFAULT_PLAN } from '../store/plans.ts';
import type { Limits } from '../store/rate-windows.ts';

/**
 * Counts a request, for its caller or, where nobody known calls, for the address that it came from. Every answer from here on, errors too,
 * describes the window with the fewest requests left.
 * @throws DomainError rate_limit_exceeded
 */
export async function limit(context: Context, request: Request, response: Response, caller: Caller | undefined): Promise<void> {
  const { subject, limits } = await subjectOf(context, request, caller);
  const { headers, refused } = await takePermit(context, subject, limits);
  response.set(headers);
  if (refused) throw refused;
}

/** Whether this process remembers that the address has nothing left. */
export async function isAddressRefused({ limiter }: Context, request: Request): Promise<boolean> {
  return limiter.isRefused(addressSubject(request.ip), await limiter.anonymous());
}

/** Describes the limits on answers that are not counted. */
export async function describeLimits(context: Context, request: Request, response: Response): Promise<void> {
  const { subject, limits } = await subjectOf(context, request, undefined);
  response.set(await showLimits(context, subject, limits));
}

async function subjectOf({ limiter }: Context, request: Request, caller: Caller | undefined): Promise<{ subject: string; limits: Limits }> {
  if (!caller) return { subject: addressSubject(request.ip), limits: await limiter.anonymous() };
  return { subject: `${caller.kind}:${caller.id}`, limits: callerLimits(caller) };
}

/** Of a person who belongs to several organizations, the roomiest; of one who belongs to none, the default plan's. */
export function callerLimits({ kind, memberships }: Caller): Limits {
  if (memberships.length === 0) return userLimits(DEFAULT_PLAN);
  const each = memberships.map(({ plan }) => (kind === 'key' ? keyLimits(plan) : userLimits(plan)));
  return {
    perMinute: Math.max(...each.map(({ perMinute }) => perMinute)),
    perDay: Math.max(...each.map(({ perDay }) => perDay)),
    perWeek: Math.max(...each.map(({ perWeek }) => perWeek)),
  };
}
