import { dayCountsOf, followersOf, reachOver, splitAmong, sumOf, type DayCounts } from '../../world/statistics.ts';
import type { Account, World } from '../../world/world.ts';
import { invalidParameter } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { endOfPacificDay, pacificDayOf, pacificDaysBetween } from '../graph/pacific-days.ts';
import { graphTime } from '../graph/paging.ts';
import { text, type Params } from '../graph/params.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { accessTo } from './access.ts';
import { graphHosts } from './containers.ts';
import { hosts, limits } from './limits.ts';
import { metricsOf } from './metric-names.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Metric {
  readonly of: (days: readonly DayCounts[]) => number;
  /** Whether Instagram also returns it for each day. */
  readonly isDaily?: true;
  readonly breakdowns?: Readonly<Record<string, readonly string[]>>;
}

const byProduct = { media_product_type: ['POST', 'REEL', 'STORY'] };
const byFollow = { follow_type: ['FOLLOWER', 'NON_FOLLOWER'] };
const sum = (name: keyof DayCounts) => (days: readonly DayCounts[]) => sumOf(days, name);

/** Metrics of days. `impressions`, `profile_views` and `website_clicks` were withdrawn in 2025. */
const metrics: Readonly<Record<string, Metric>> = {
  accounts_engaged: { of: (days) => Math.round(sumOf(days, 'engagements') * 0.8) },
  comments: { of: sum('comments'), breakdowns: byProduct },
  follows_and_unfollows: { of: (days) => sumOf(days, 'follows') + sumOf(days, 'unfollows'), breakdowns: byFollow },
  likes: { of: sum('likes'), breakdowns: byProduct },
  profile_links_taps: { of: sum('website_clicks'), breakdowns: { contact_button_type: ['CALL', 'EMAIL', 'DIRECTION', 'TEXT'] } },
  reach: { of: reachOver, isDaily: true, breakdowns: { ...byProduct, ...byFollow } },
  replies: { of: () => 0 },
  reposts: { of: () => 0 },
  saves: { of: sum('saves'), breakdowns: byProduct },
  shares: { of: sum('shares'), breakdowns: byProduct },
  total_interactions: { of: sum('engagements'), breakdowns: byProduct },
  views: { of: sum('impressions'), breakdowns: { ...byProduct, ...byFollow } },
};

const DEMOGRAPHICS = 'follower_demographics';
const followerGroups: Readonly<Record<string, readonly string[]>> = {
  age: ['13-17', '18-24', '25-34', '35-44', '45-54', '55-64', '65+'],
  gender: ['F', 'M', 'U'],
  country: ['DE', 'AT', 'CH', 'FR', 'IT', 'GB', 'US'],
  city: ['Munich, Bavaria', 'Berlin, Berlin', 'Hamburg, Hamburg', 'Vienna, Vienna', 'Zürich, Zürich'],
};
const timeframes = ['this_week', 'this_month', 'last_14_days', 'last_30_days', 'last_90_days', 'prev_month'];
/** The followers whose group Instagram knows. */
const KNOWN_FOLLOWERS = 0.9;

export const accountInsightOperations: Operation[] = [
  graphOperation('instagram', {
    name: 'instagram.account_insights',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{account_id}/insights',
    when: (call, { world }) => call.host === hosts.graph || world.accounts.get(call.params['account_id']!)?.platform === 'instagram',
    takes: ['metric', 'period', 'metric_type', 'breakdown', 'timeframe', 'since', 'until'],
    handle: accountInsights,
  }),
];

function accountInsights(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const { values } = call;
  const account = accessTo(call, sandbox, call.params['account_id']!, 'basic', 'manage_insights');
  const names = metricsOf(text(values, 'metric'), [...Object.keys(metrics), DEMOGRAPHICS]);
  const isOfPeople = names.includes(DEMOGRAPHICS);
  if (isOfPeople && names.length > 1) throw invalidParameter(`The metric ${DEMOGRAPHICS} cannot be combined with others`);
  const period = oneOf(values, 'period', [isOfPeople ? 'lifetime' : 'day']);
  const type = oneOf(values, 'metric_type', ['time_series', 'total_value']) ?? 'time_series';
  if (period === undefined) throw invalidParameter('The parameter period is required');
  const head = (name: string) => ({ name, period, title: name, id: `${account.id}/insights/${name}/${period}` });
  if (isOfPeople) return { data: demographics(world, account, values, type).map((found) => ({ ...head(DEMOGRAPHICS), ...found })) };
  const wrong = names.filter((name) => type === 'time_series' && !metrics[name]!.isDaily);
  if (wrong.length > 0)
    throw invalidParameter(`The following metrics (${wrong.join(', ')}) should be specified with parameter metric_type=total_value`);
  const breakdown = text(values, 'breakdown');
  const days = daysOf(values, world);
  return {
    data: names.map((name) => {
      const counts = days.map((day) => dayCountsOf(world, account, day));
      if (type === 'total_value') return { ...head(name), total_value: totalOf(account, name, counts, breakdown) };
      if (breakdown !== undefined) throw invalidParameter('breakdown is only supported with metric_type=total_value');
      return { ...head(name), values: days.map((day, at) => ({ value: metrics[name]!.of([counts[at]!]), end_time: endOf(day) })) };
    }),
  };
}

function totalOf(account: Account, name: string, days: readonly DayCounts[], breakdown: string | undefined) {
  const { of, breakdowns = {} } = metrics[name]!;
  if (breakdown === undefined) return { value: of(days) };
  if (!Object.hasOwn(breakdowns, breakdown)) throw invalidParameter(`The metric (${name}) does not support the breakdown (${breakdown})`);
  return { value: of(days), breakdowns: [brokenDown(of(days), breakdown, breakdowns[breakdown]!, account)] };
}

/** The demographics of followers. For small accounts the list is empty. */
function demographics(world: World, account: Account, values: Params, type: string) {
  const breakdown = oneOf(values, 'breakdown', Object.keys(followerGroups));
  oneOf(values, 'timeframe', timeframes);
  if (type !== 'total_value')
    throw invalidParameter(`The following metrics (${DEMOGRAPHICS}) should be specified with parameter metric_type=total_value`);
  if (breakdown === undefined) throw invalidParameter(`The metric ${DEMOGRAPHICS} requires the parameter breakdown`);
  const followers = followersOf(world, account);
  if (followers < limits.demographicsFollowers) return [];
  const total = Math.round(followers * KNOWN_FOLLOWERS);
  return [{ total_value: { breakdowns: [brokenDown(total, breakdown, followerGroups[breakdown]!, account)] } }];
}

function brokenDown(total: number, key: string, buckets: readonly string[], { id }: Account) {
  const results = splitAmong(total, buckets, id, key).map(({ bucket, count }) => ({ dimension_values: [bucket], value: count }));
  return { dimension_keys: [key], results };
}

function oneOf(values: Params, name: string, known: readonly string[]): string | undefined {
  const value = text(values, name);
  if (value !== undefined && !known.includes(value))
    throw invalidParameter(`${name} must be one of the following values: ${known.join(', ')}`);
  return value;
}

/** `since` and `until`, Unix seconds or dates; without them the last day. */
function daysOf(values: Params, world: World): string[] {
  const until = momentOf(values, 'until') ?? world.now();
  const since = momentOf(values, 'since') ?? until - DAY_MS;
  if (until <= since) throw invalidParameter('until must be after since');
  if (until - since > limits.insightDays * DAY_MS)
    throw invalidParameter('There cannot be more than 30 days (2592000 s) between since and until');
  if (world.now() - since > limits.insightKeptDays * DAY_MS) throw invalidParameter('since must be within the last two years');
  const today = pacificDayOf(world.now());
  return pacificDaysBetween(since, until).filter((day) => day <= today);
}

function momentOf(values: Params, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  if (Number.isNaN(time)) throw invalidParameter(`Param ${name} must be a unix timestamp or a date`);
  return time;
}

const endOf = (day: string) => graphTime(new Date(endOfPacificDay(day)).toISOString());
