import { json, type Reply } from '../../wire/reply.ts';
import { countsOf, type PostCounts } from '../../world/statistics.ts';
import { postState } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { accessDenied, illegalArgument, reject } from './errors.ts';
import { memberOperation, type MemberCall } from './linkedin-operation.ts';
import { urnIn } from './rest-li.ts';

/** Times are milliseconds. */
const types: Readonly<Record<string, (counts: PostCounts) => number>> = {
  VIDEO_VIEW: ({ views }) => views,
  VIEWER: ({ views }) => Math.round(views * 0.8),
  TIME_WATCHED: ({ watch_time_ms }) => watch_time_ms,
  // Without playback that was too short for a view.
  TIME_WATCHED_FOR_VIDEO_VIEWS: ({ watch_time_ms }) => Math.round(watch_time_ms * 0.9),
};

export const videoAnalyticsOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.video_analytics',
    method: 'GET',
    path: '/rest/videoAnalytics',
    scopes: ['rw_organization_admin', 'r_organization_social'],
    query: ['q', 'entity', 'type', 'aggregation'],
    handle: videoAnalytics,
  }),
];

/** Only posts with a video have them. */
function videoAnalytics(call: MemberCall, { world }: Sandbox): Reply {
  const { query } = call;
  if (query.get('q') !== 'entity') throw illegalArgument('q has to be entity');
  const type = query.get('type') ?? '';
  if (!Object.hasOwn(types, type)) throw illegalArgument(`type has to be one of ${Object.keys(types).join(', ')}`);
  if ((query.get('aggregation') ?? 'ALL') !== 'ALL') throw illegalArgument('The sandbox supports the aggregation ALL alone');
  const entity = urnIn(call, 'entity');
  if (!/^urn:li:(share|ugcPost):/.test(entity)) throw reject(400, 'INVALID_URN_TYPE', `${entity} is no share and no ugcPost`);
  const post = world.posts.get(entity);
  if (!post || postState(post, world.now()) !== 'live') throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${entity}`);
  if (!call.grant.account_ids.includes(post.account_id)) throw accessDenied(`Not enough permissions to read analytics of ${entity}`);
  const found = post.kind === 'video' ? [{ entity, statisticsType: type, value: types[type]!(countsOf(world, post)) }] : [];
  return json(200, { paging: { start: 0, count: 10, links: [] }, elements: found });
}
