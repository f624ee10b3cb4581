import type { PostCounts } from '../../world/statistics.ts';
import { invalidParameter, reject } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { text } from '../graph/params.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { instagramCounts } from './counts.ts';
import { accessTo } from './access.ts';
import { graphHosts } from './containers.ts';
import { limits } from './limits.ts';
import { productTypeOf, type ProductType } from './media-node.ts';
import { metricsOf } from './metric-names.ts';

const everywhere: readonly ProductType[] = ['FEED', 'REELS', 'STORY'];

/** Each with the kinds of media that have it. Times are milliseconds. */
const metrics: Readonly<Record<string, readonly [of: readonly ProductType[], count: (counts: PostCounts) => number]>> = {
  comments: [['FEED', 'REELS'], ({ comments }) => comments],
  follows: [['FEED', 'STORY'], ({ reach }) => Math.round(reach / 400)],
  ig_reels_avg_watch_time: [['REELS'], ({ watch_time_ms, views }) => (views === 0 ? 0 : Math.round(watch_time_ms / views))],
  ig_reels_video_view_total_time: [['REELS'], ({ watch_time_ms }) => watch_time_ms],
  likes: [['FEED', 'REELS'], ({ likes }) => likes],
  navigation: [['STORY'], ({ reach }) => reach],
  profile_activity: [['FEED', 'STORY'], ({ clicks }) => clicks],
  profile_visits: [['FEED', 'STORY'], ({ reach }) => Math.round(reach / 60)],
  reach: [everywhere, ({ reach }) => reach],
  reels_skip_rate: [['REELS'], ({ views, completed }) => (views === 0 ? 0 : Math.round((1 - completed / views) * 50))],
  replies: [['STORY'], ({ comments }) => comments],
  saved: [['FEED', 'REELS'], ({ saves }) => saves],
  shares: [everywhere, ({ shares }) => shares],
  total_interactions: [everywhere, ({ likes, comments, saves, shares }) => likes + comments + saves + shares],
  views: [everywhere, ({ views }) => views],
};

export const mediaInsightOperations: Operation[] = [
  graphOperation('instagram', {
    name: 'instagram.media_insights',
    hosts: graphHosts,
    method: 'GET',
    path: '/{v}/{media_id}/insights',
    when: (call, { world }) => world.posts.get(call.params['media_id']!)?.platform === 'instagram',
    takes: ['metric', 'period'],
    handle: mediaInsights,
  }),
];

function mediaInsights(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const post = world.posts.get(call.params['media_id']!)!;
  accessTo(call, sandbox, post.account_id, 'basic', 'manage_insights');
  const requested = text(call.values, 'metric');
  if (requested?.split(',').includes('impressions'))
    throw invalidParameter('Starting from version v22.0 and above, the impressions metric is no longer supported for the queried media.');
  const names = metricsOf(requested, Object.keys(metrics));
  const period = text(call.values, 'period') ?? 'lifetime';
  if (period !== 'lifetime') throw invalidParameter('period must be one of the following values: lifetime');
  const kind = productTypeOf(post);
  const foreign = names.find((name) => post.kind === 'comment' || !metrics[name]![0].includes(kind));
  if (foreign !== undefined)
    throw invalidParameter(`The Media Insights API does not support the ${foreign} metric for this media product type.`);
  const counts = instagramCounts(world, post);
  if (kind === 'STORY' && counts.reach < limits.storyViewers)
    throw reject({ message: '(#10) Not enough viewers for the media to show insights', code: 10 });
  return {
    data: names.map((name) => ({
      name,
      period,
      values: [{ value: metrics[name]![1](counts) }],
      title: name,
      id: `${post.id}/insights/${name}/${period}`,
    })),
  };
}
