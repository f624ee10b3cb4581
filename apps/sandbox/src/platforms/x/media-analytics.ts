import { json, type Reply } from '../../wire/reply.ts';
import { livePostsOf } from '../../world/post.ts';
import { countsOf } from '../../world/statistics.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { invalidRequest, mediaNotFound } from './errors.ts';
import { mediaAnalyticsFields } from './fields.ts';
import { limits } from './limits.ts';
import { moment } from './moment.ts';
import { playedTo, uploadsOf, type XNode } from './nodes.ts';
import { fieldsOf, pick } from './render.ts';
import { xOperation, type XCall } from './x-operation.ts';

/** X has this only for apps of Enterprise customers; here every app is one. */
export const mediaAnalyticsOperations: Operation[] = [
  xOperation({
    name: 'x.get_media_analytics',
    method: 'GET',
    path: '/2/media/analytics',
    scopes: ['tweet.read'],
    rate: 'other',
    query: ['media_keys', 'start_time', 'end_time', 'granularity', 'media_analytics.fields'],
    handle: getMediaAnalytics,
  }),
];

interface Range {
  readonly start: number;
  readonly end: number;
}

function getMediaAnalytics(call: XCall, { world }: Sandbox): Reply {
  const keys = keysIn(call);
  const range = rangeIn(call, world);
  const granularity = call.query.get('granularity');
  if (!['hourly', 'daily', 'total'].includes(granularity ?? ''))
    throw invalidRequest(`The \`granularity\` query parameter value [${granularity}] is not one of [hourly,daily,total]`);
  if (granularity !== 'total') throw invalidRequest(`The granularity ${granularity} is not supported by the sandbox`);
  const fields = fieldsOf(call, 'media_analytics.fields', mediaAnalyticsFields) ?? [];
  const found = keys.map((key) => [key, metricsOf(call, world, key, range)] as const);
  const data = found.flatMap(([media_key, metrics]) => {
    if (metrics === undefined) return [];
    const timestamp = fields.includes('timestamp') ? { timestamp: new Date(range.end).toISOString() } : {};
    return [{ media_key, timestamped_metrics: [{ ...timestamp, metrics: pick(metrics, fields, []) }] }];
  });
  const errors = found.flatMap(([key, metrics]) => (metrics === undefined ? [mediaNotFound(key)] : []));
  return json(200, { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) });
}

function keysIn(call: XCall): string[] {
  const keys = [...new Set(call.query.get('media_keys')?.split(',') ?? [])];
  if (keys.length < 1 || keys.length > limits.analyzedMedia)
    throw invalidRequest(`The number of values in the \`media_keys\` query parameter list [${keys.length}] is not between 1 and 100`);
  const wrong = keys.find((key) => !/^\d+_\d+$/.test(key));
  if (wrong !== undefined) throw invalidRequest(`The \`media_keys\` query parameter value [${wrong}] does not match ^([0-9]+)_([0-9]+)$`);
  return keys;
}

function rangeIn(call: XCall, world: World): Range {
  const [start, end] = [moment(call, 'start_time'), moment(call, 'end_time')];
  if (start === null || end === null)
    throw invalidRequest(`The \`${start === null ? 'start_time' : 'end_time'}\` query parameter can not be empty`);
  if (start >= end) throw invalidRequest('The `start_time` query parameter value has to be before `end_time`');
  if (end > world.now()) throw invalidRequest('The `end_time` query parameter value must not be in the future');
  return { start, end };
}

/** What X counts of a video of the caller's up to the end of the range. */
function metricsOf(call: XCall, world: World, key: string, { start, end }: Range): XNode | undefined {
  const post = livePostsOf(world, call.user.id).find(({ details }) => (details['media_keys'] as string[]).includes(key));
  const upload = post && uploadsOf(world, post).find(({ media_key }) => media_key === key);
  const media = world.media.get(upload?.media_id ?? '');
  if (!post || media?.kind !== 'video') return undefined;
  if (start > Date.parse(post.created_at))
    throw invalidRequest('The sandbox counts videos since they were posted: start_time has to be before that');
  const { views, completed } = countsOf(world, post, { atMs: end });
  const [playback_start, playback25, playback50, playback75, playback_complete] = playedTo(views, completed);
  return {
    ...{ playback_start, playback25, playback50, playback75, playback_complete },
    ...{ cta_url_clicks: 0, cta_watch_clicks: 0, play_from_tap: Math.round(views * 0.3), video_views: views },
    // As many views end in each part of the video; the completed ones last to its end.
    watch_time_ms: Math.round(((views + completed) / 2) * (media.duration_ms ?? 0)),
  };
}
