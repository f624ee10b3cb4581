import { json, type Reply } from '../../wire/reply.ts';
import { dayCountsOf, daysBetween, type DayCounts } from '../../world/statistics.ts';
import type { Account, World } from '../../world/world.ts';
import { isOrganization } from './accounts.ts';
import { accessDenied, illegalArgument, reject } from './errors.ts';
import { limits } from './limits.ts';
import type { MemberCall } from './linkedin-operation.ts';
import { intervalsIn, urnIn, type Intervals } from './rest-li.ts';

const DAY_MS = 24 * 3600_000;

/** The page that a finder is about, which the member has to administer. */
export function pageOf(call: MemberCall, world: World, parameter: 'organization' | 'organizationalEntity'): Account {
  if (call.query.get('q') !== parameter) throw illegalArgument(`q has to be ${parameter}`);
  const urn = urnIn(call, parameter);
  if (!isOrganization(urn)) throw reject(400, 'INVALID_URN_TYPE', `${urn} is no organization`);
  const page = world.accounts.get(urn);
  if (!page || !call.grant.account_ids.includes(urn)) throw accessDenied(`Member does not administer ${urn}`);
  return page;
}

/** One element for each day, or one of the whole range. LinkedIn has the last twelve months, and not yet the current day. */
export function periods(call: MemberCall, world: World, page: Account, count: (days: readonly DayCounts[]) => object): object[] {
  const today = Math.floor(world.now() / DAY_MS) * DAY_MS;
  const requested: Intervals | undefined = intervalsIn(call);
  const { start, end } = requested ?? { start: 0, end: today };
  const days = daysBetween(world, Math.max(start, today - limits.keptDays * DAY_MS), Math.min(end, today));
  const counts = days.map((day) => dayCountsOf(world, page, day));
  if (!requested) return [count(counts)];
  if (!requested.isDaily) return [{ timeRange: { start, end }, ...count(counts) }];
  return days.map((day, at) => ({ timeRange: { start: Date.parse(day), end: Date.parse(day) + DAY_MS }, ...count([counts[at]!]) }));
}

export const elements = (found: readonly object[]): Reply =>
  json(200, { paging: { start: 0, count: limits.page.default, links: [] }, elements: found });
