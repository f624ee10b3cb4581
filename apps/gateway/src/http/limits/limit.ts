import type { Request, Response } from 'express';
import { addressSubject, type Caller, DEFAULT_PLAN, type Membership } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { keyLimits, organizationLimits, userLimits } from './plan-limits.ts';
import type { Counted } from './subject.ts';
import { showLimits, takePermit } from './take-permit.ts';

/**
 * Counts a request, for its caller or, where nobody known calls, for the address that it came from. Every answer from here on, errors too,
 * describes the window with the fewest requests left.
 * @throws DomainError rate_limit_exceeded
 */
export async function limit(context: Context, request: Request, response: Response, caller: Caller | undefined): Promise<void> {
  const { headers, refused } = await takePermit(context, await countedFor(context, request, caller));
  response.set(headers);
  if (refused) throw refused;
}

/** Whether this process remembers that the address has nothing left. */
export async function isAddressRefused({ limiter }: Context, request: Request): Promise<boolean> {
  return limiter.isRefused(addressSubject(request.ip), await limiter.anonymous());
}

/** Describes the limits on answers that are not counted. */
export async function describeLimits(context: Context, request: Request, response: Response): Promise<void> {
  response.set(await showLimits(context, await countedFor(context, request, undefined)));
}

async function countedFor({ limiter }: Context, request: Request, caller: Caller | undefined): Promise<Counted> {
  return caller ? countedAs(caller) : { id: addressSubject(request.ip), limits: await limiter.anonymous() };
}

/**
 * Whom the requests of a caller are counted for. Of a person who belongs to several organizations the roomiest limits count; of one who belongs to
 * none, the default plan's.
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

/** What the keys of an organization are counted as together. */
export const sharedBy = ({ organizationId, plan }: Membership): Counted => ({
  id: `organization:${organizationId}`,
  limits: organizationLimits(plan),
});
