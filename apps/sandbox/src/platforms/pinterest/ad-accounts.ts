import { json, type Reply } from '../../wire/reply.ts';
import { followersOf, splitAmong } from '../../world/statistics.ts';
import type { Account, World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { dayBack } from './analytics-range.ts';
import { adAccountNotFound, invalidRequest, notYours } from './errors.ts';
import { limits } from './limits.ts';
import { pageOf } from './page-of.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';

export const adAccountOperations: Operation[] = [
  pinterestOperation({
    name: 'pinterest.list_ad_accounts',
    method: 'GET',
    path: '/v5/ad_accounts',
    scopes: ['ads:read'],
    rate: 'ads_read',
    query: ['page_size', 'bookmark', 'include_shared_accounts'],
    handle: listAdAccounts,
  }),
  pinterestOperation({
    name: 'pinterest.audience_insights',
    method: 'GET',
    path: '/v5/ad_accounts/{ad_account_id}/audience_insights',
    scopes: ['ads:read'],
    rate: 'ads_read',
    query: ['audience_insight_type'],
    handle: audienceInsights,
  }),
];

const types = ['YOUR_TOTAL_AUDIENCE', 'YOUR_ENGAGED_AUDIENCE', 'PINTEREST_TOTAL_AUDIENCE'];
/** Key → display name. */
const demographics = {
  ages: named('18-24', '25-34', '35-44', '45-49', '50-54', '55-64', '65+'),
  genders: { female: 'Female', male: 'Male', unspecified: 'Unspecified' },
  devices: { iphone: 'iPhone', android_mobile: 'Android Mobile', web: 'Web' },
  metros: { '501': 'New York', '803': 'Los Angeles' },
  countries: { us: 'United States', de: 'Germany', fr: 'France' },
};

function listAdAccounts(call: PinterestCall, { world }: Sandbox): Reply {
  const shared = call.query.get('include_shared_accounts') ?? 'true';
  if (shared !== 'true' && shared !== 'false') throw invalidRequest(`'include_shared_accounts': '${shared}' is not of type 'boolean'`);
  return pageOf(call, adAccountsOf(world, call.user), (adAccount) => adAccount);
}

function audienceInsights(call: PinterestCall, { world }: Sandbox): Reply {
  const type = call.query.get('audience_insight_type');
  if (type === null) throw invalidRequest("'audience_insight_type' is required");
  if (!types.includes(type)) throw invalidRequest(`'audience_insight_type': '${type}' is not one of ${types.join(', ')}`);
  const id = call.params['ad_account_id'];
  const owner = [...world.accounts.values()].find((one) => one.platform === 'pinterest' && adAccountsOf(world, one)[0]?.id === id);
  if (!owner) throw adAccountNotFound();
  if (owner.id !== call.user.id) throw notYours();
  // The audience of Pinterest is the same for all.
  const of = type === 'PINTEREST_TOTAL_AUDIENCE' ? type : `${owner.id}:${type}`;
  return json(200, {
    type,
    date: dayBack(world, 1),
    size: followersOf(world, owner) * 10,
    size_is_upper_bound: false,
    categories: [],
    demographics: Object.fromEntries(Object.entries(demographics).map(([name, buckets]) => [name, sharesOf(buckets, of, name)])),
  });
}

function adAccountsOf(world: World, user: Account) {
  if (followersOf(world, user) < limits.advertiserFollowers) return [];
  const created = Math.floor(Date.parse(user.created_at) / 1_000);
  return [
    {
      id: `5497${user.id.slice(-8)}`,
      name: user.name,
      owner: { id: user.id, username: user.username },
      country: 'DE',
      currency: 'EUR',
      permissions: ['OWNER'],
      created_time: created,
      updated_time: created,
    },
  ];
}

/** Shares with four digits, which add up to 1. */
const sharesOf = (buckets: Readonly<Record<string, string>>, ...of: readonly string[]) =>
  splitAmong(10_000, Object.keys(buckets), ...of).map(({ bucket, count }) => ({
    key: bucket,
    name: buckets[bucket],
    ratio: count / 10_000,
  }));

function named(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}
