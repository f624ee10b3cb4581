import type { Request, Response } from 'express';
import { addressSubject, type Caller, DEFAULT_PLAN, type Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { keyLimits, organizationLimits, userLimits } from './plan-limits.ts';
import type { Counted } from './subject.ts';
import { showLimits, takePermit } from './take-permit.ts';

/**
 * Counts a request, for its caller or, without one, for its address. Every response from here on, errors too, carries the rate-limit headers of the
 * window with the fewest requests left.
 * @throws DomainError rate_limit_exceeded
 */
export async function limit(context: Context, request: Request, response: Response, caller: Caller | undefined): Promise<void> {
  const { headers, rejected } = await takePermit(context, await countedFor(context, request, caller));
  response.set(headers);
  if (rejected) throw rejected;
}

/** Whether this process remembers that the address has reached its limit. */
export async function isAddressRejected({ limiter }: Context, request: Request): Promise<boolean> {
  return limiter.isRejected(addressSubject(request.ip), await limiter.anonymous());
}

/** Adds the rate-limit headers to responses of requests that are not counted. */
export async function describeLimits(context: Context, request: Request, response: Response): Promise<void> {
  response.set(await showLimits(context, await countedFor(context, request, undefined)));
}

async function countedFor({ limiter }: Context, request: Request, caller: Caller | undefined): Promise<Counted> {
  return caller ? countedAs(caller) : { id: addressSubject(request.ip), limits: await limiter.anonymous() };
}

/**
 * Whom the requests of a caller are counted for. A user who belongs to several organizations has the highest of their limits; a user without an
 * organization has those of the default plan.
 */
export function countedAs({ kind, id, memberships }: Caller): Counted {
  const [membership] = memberships;
  if (kind === 'key' && membership) return { ...sharedBy(membership), key: { id, limits: keyLimits(membership.plan) } };
  const each = memberships.length === 0 ? [userLimits(DEFAULT_PLAN)] : memberships.map(({ plan }) => userLimits(plan));
  const limits = {
    perMinute: Math.max(...each.map(({ perMinute }) => perMinute)),
    perDay: Math.max(...each.map(({ perDay }) => perDay)),
    perWeek: Math.max(...each.map(({ perWeek }) => perWeek)),
  };
  return { id: `${kind}:${id}`, limits };
}

/** The subject and limits that all keys of an organization share. */
export const sharedBy = ({ organizationId, plan }: Membership): Counted => ({
  id: `organization:${organizationId}`,
  limits: organizationLimits(plan),
});
