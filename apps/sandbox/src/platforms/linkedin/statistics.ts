import { json, type Reply } from '../../wire/reply.ts';
import { countsOf, followersOf, reachOver, splitAmong, sumOf, type DayCounts, type PostCounts } from '../../world/statistics.ts';
import { postState } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { isOrganization } from './accounts.ts';
import { illegalArgument, reject } from './errors.ts';
import { memberOperation, type MemberCall } from './linkedin-operation.ts';
import { intervalsIn, listIn, urnOf } from './rest-li.ts';
import { facets } from './standard-names.ts';
import { elements, pageOf, periods } from './statistics-of-page.ts';

const reporting = ['rw_organization_admin', 'r_organization_admin'];

/** Statistics of pages: those of members require other permissions. */
export const statisticsOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.share_statistics',
    method: 'GET',
    path: '/rest/organizationalEntityShareStatistics',
    scopes: [...reporting, 'r_organization_social'],
    query: ['q', 'organizationalEntity', 'timeIntervals', 'shares', 'ugcPosts'],
    handle: shareStatistics,
  }),
  memberOperation({
    name: 'linkedin.follower_statistics',
    method: 'GET',
    path: '/rest/organizationalEntityFollowerStatistics',
    scopes: reporting,
    query: ['q', 'organizationalEntity', 'timeIntervals'],
    handle: followerStatistics,
  }),
  memberOperation({
    name: 'linkedin.page_statistics',
    method: 'GET',
    path: '/rest/organizationPageStatistics',
    scopes: reporting,
    query: ['q', 'organization', 'timeIntervals'],
    handle: pageStatistics,
  }),
  memberOperation({
    name: 'linkedin.network_size',
    method: 'GET',
    path: '/rest/networkSizes/{urn}',
    scopes: [...reporting, 'r_organization_social'],
    query: ['edgeType'],
    handle: networkSize,
  }),
];

function shareStatistics(call: MemberCall, { world }: Sandbox): Reply {
  const page = pageOf(call, world, 'organizationalEntity');
  const shares = listIn(call, 'shares')?.map((urn) => ['share', urnOf(urn, 'shares')] as const);
  const posts = listIn(call, 'ugcPosts')?.map((urn) => ['ugcPost', urnOf(urn, 'ugcPosts')] as const);
  if (shares && posts) throw illegalArgument('shares and ugcPosts exclude each other');
  const wanted = shares ?? posts;
  if (wanted === undefined)
    return elements(
      periods(call, world, page, (days) => ({ totalShareStatistics: statisticsOf(ofDays(days)), organizationalEntity: page.id })),
    );
  const wrong = wanted.find(([kind, urn]) => !urn.startsWith(`urn:li:${kind}:`));
  if (wrong) throw reject(400, 'INVALID_URN_TYPE', `${wrong[1]} is no ${wrong[0]}`);
  return elements(
    wanted.flatMap(([kind, urn]) => {
      const post = world.posts.get(urn);
      if (post?.account_id !== page.id || postState(post, world.now()) !== 'live') return [];
      return [{ totalShareStatistics: statisticsOf(countsOf(world, post)), [kind]: urn, organizationalEntity: page.id }];
    }),
  );
}

type ShareCounts = Pick<PostCounts, 'impressions' | 'reach' | 'clicks' | 'likes' | 'comments' | 'shares'>;

function ofDays(days: readonly DayCounts[]): ShareCounts {
  const sum = (name: keyof DayCounts) => sumOf(days, name);
  const [impressions, clicks, likes, comments, shares] = [sum('impressions'), sum('clicks'), sum('likes'), sum('comments'), sum('shares')];
  return { impressions, reach: reachOver(days), clicks, likes, comments, shares };
}

function statisticsOf({ impressions, reach, clicks, likes, comments, shares }: ShareCounts) {
  return {
    uniqueImpressionsCount: reach,
    shareCount: shares,
    engagement: impressions === 0 ? 0 : (clicks + likes + comments + shares) / impressions,
    clickCount: clicks,
    likeCount: likes,
    impressionCount: impressions,
    commentCount: comments,
  };
}

/** The followers of the page; with intervals, how many were gained. */
function followerStatistics(call: MemberCall, { world }: Sandbox): Reply {
  const page = pageOf(call, world, 'organizationalEntity');
  if (intervalsIn(call) !== undefined) {
    return elements(
      periods(call, world, page, (days) => ({
        followerGains: { organicFollowerGain: sumOf(days, 'follows') - sumOf(days, 'unfollows'), paidFollowerGain: 0 },
        organizationalEntity: page.id,
      })),
    );
  }
  const counted = facets.map(({ list, key, values }) => [
    list,
    splitAmong(followersOf(world, page), values, page.id, list).map(({ bucket, count }) => ({
      [key]: bucket,
      followerCounts: { organicFollowerCount: count, paidFollowerCount: 0 },
    })),
  ]);
  return elements([{ ...(Object.fromEntries(counted) as object), organizationalEntity: page.id }]);
}

function pageStatistics(call: MemberCall, { world }: Sandbox): Reply {
  const page = pageOf(call, world, 'organization');
  return elements(
    periods(call, world, page, (days) => {
      const pageViews = sumOf(days, 'profile_views');
      const clicks = sumOf(days, 'website_clicks');
      const mobile = Math.round(clicks * 0.4);
      const button = (count: number) => [{ customButtonType: 'VISIT_WEBSITE', clicks: count }];
      return {
        totalPageStatistics: {
          views: { allPageViews: { pageViews, uniquePageViews: Math.round(pageViews * 0.7) } },
          clicks: { desktopCustomButtonClickCounts: button(clicks - mobile), mobileCustomButtonClickCounts: button(mobile) },
        },
        organization: page.id,
      };
    }),
  );
}

function networkSize(call: MemberCall, { world }: Sandbox): Reply {
  const urn = call.params['urn']!;
  const edge = call.query.get('edgeType');
  if (edge !== 'COMPANY_FOLLOWED_BY_MEMBER') throw illegalArgument(`edgeType ${edge ?? ''} is not supported`);
  if (!isOrganization(urn)) throw reject(400, 'INVALID_URN_TYPE', `${urn} is no organization`);
  const page = world.accounts.get(urn);
  if (!page) throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${urn}`);
  return json(200, { firstDegreeSize: followersOf(world, page) });
}
