import { countsOf, dayCountsOf, followersOf, type DayCounts, type PostCounts } from '../../world/statistics.ts';
import type { Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { invalidParameter, noSuchObject } from '../graph/errors.ts';
import type { Field } from '../graph/fields.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { endOfPacificDay } from '../graph/pacific-days.ts';
import { graphTime } from '../graph/paging.ts';
import { text } from '../graph/params.ts';
import { requirePageToken, requireScope, session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { hosts } from './limits.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The maximum days of one call. */
const MAX_DAYS = 90;
const KEPT_DAYS = 730;
/** Pages with fewer likes have no insights. */
const MIN_LIKES = 100;
const PERIOD_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, days_28: 28 };

/** Sums of days, except for people, who are counted once in a period. */
const pageMetrics: Readonly<Record<string, (days: readonly DayCounts[], page: Account) => number>> = {
  page_media_view: (days) => sum(days, 'impressions'),
  page_total_media_view_unique: (days) => Math.max(...days.map(({ reach }) => reach)) + Math.round(sum(days, 'reach') / 10),
  page_views_total: (days) => sum(days, 'profile_views'),
  page_post_engagements: (days) => sum(days, 'engagements'),
  page_video_views: (days) => sum(days, 'video_views'),
  page_follows: (_days, page) => page.followers,
  page_daily_follows_unique: (days) => sum(days, 'follows'),
  page_daily_unfollows_unique: (days) => sum(days, 'unfollows'),
  page_total_actions: (days) => sum(days, 'website_clicks'),
};

const postMetrics: Readonly<Record<string, (counts: PostCounts, lengthMs: number) => number>> = {
  post_media_view: ({ impressions }) => impressions,
  post_total_media_view_unique: ({ reach }) => reach,
  post_clicks: ({ clicks }) => clicks,
  post_video_views: ({ views }) => views,
  post_video_views_organic: ({ views }) => views,
  post_video_views_paid: () => 0,
  post_video_avg_time_watched: ({ watch_time_ms, views }) => (views === 0 ? 0 : Math.round(watch_time_ms / views)),
  post_video_view_time: ({ watch_time_ms }) => watch_time_ms,
  post_video_length: (_counts, lengthMs) => lengthMs,
  post_video_complete_views_organic: ({ completed }) => completed,
  blue_reels_play_count: ({ views }) => views,
};
const VIDEO_ONLY = /video|reels/;

export const insightOperations: Operation[] = [
  graphOperation('facebook', {
    name: 'facebook.page_insights',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/{page_id}/insights',
    takes: ['metric', 'period', 'since', 'until'],
    handle: pageInsights,
  }),
];

/** How many like a page: fewer than follow it. */
export const likesOf = (world: World, page: Account): number => Math.max(0, followersOf(world, page) - 40);

function pageInsights(call: GraphCall, sandbox: Sandbox) {
  const { world } = sandbox;
  const caller = session(call, call.values, sandbox);
  const id = call.params['page_id']!;
  const page = world.accounts.get(id);
  if (page?.platform !== 'facebook') throw noSuchObject('GET', id);
  requirePageToken(caller, id);
  requireScope(caller, 'read_insights');
  const names = namesIn(text(call.values, 'metric'), pageMetrics);
  const period = text(call.values, 'period') ?? 'day';
  const length = PERIOD_DAYS[period];
  if (length === undefined) throw invalidParameter(`period must be one of the following values: ${Object.keys(PERIOD_DAYS).join(', ')}`);
  const days = daysIn(text(call.values, 'since'), text(call.values, 'until'), world.now());
  const isTooSmall = likesOf(world, page) < MIN_LIKES;
  return {
    data: isTooSmall
      ? []
      : names.map((name) => ({
          name,
          period,
          title: name,
          id: `${id}/insights/${name}/${period}`,
          values: days.map((day) => {
            const counted = Array.from({ length }, (_, back) => dayCountsOf(world, page, dayBefore(day, back)));
            return { value: pageMetrics[name]!(counted, page), end_time: graphTime(new Date(endOfPacificDay(day)).toISOString()) };
          }),
        })),
  };
}

/** `insights.metric(a,b)` of a post or video. Metrics of videos are left out for other posts. */
export function insightsOf(world: World, post: Post, field: Field) {
  const names = namesIn(field.modifiers['metric'], postMetrics);
  const counts = countsOf(world, post);
  const isVideo = ['video', 'reel'].includes(post.kind);
  const [media] = post.media_ids.flatMap((id) => world.media.get(id) ?? []);
  const shown = names.filter((name) => isVideo || !VIDEO_ONLY.test(name));
  return {
    data: shown.map((name) => ({
      name,
      period: 'lifetime',
      values: [{ value: postMetrics[name]!(counts, media?.duration_ms ?? 0) }],
      id: `${post.id}/insights/${name}/lifetime`,
    })),
  };
}

/** One unknown name fails the call. */
function namesIn(metric: string | undefined, known: object): string[] {
  const names = (metric ?? '').split(',').map((name) => name.trim());
  if (names.some((name) => !Object.hasOwn(known, name))) throw invalidParameter('The value must be a valid insights metric');
  return names;
}

/** The days of a request, from `since` on and before `until`. */
function daysIn(since: string | undefined, until: string | undefined, now: number): string[] {
  const [from, to] = [dayMs(since, 'since') ?? now - 2 * DAY_MS, dayMs(until, 'until') ?? now];
  if (to <= from) throw invalidParameter('until must be after since');
  if (to - from > MAX_DAYS * DAY_MS) throw invalidParameter(`There cannot be more than ${MAX_DAYS} days between since and until`);
  if (now - from > KEPT_DAYS * DAY_MS) throw invalidParameter('since must be within the last two years');
  return Array.from({ length: Math.round((to - from) / DAY_MS) }, (_, at) => dayOf(from + at * DAY_MS)).filter((day) => day <= dayOf(now));
}

function dayMs(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  if (Number.isNaN(time)) throw invalidParameter(`Param ${name} must be a unix timestamp or a date`);
  return Math.floor(time / DAY_MS) * DAY_MS;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayBefore = (day: string, days: number) => dayOf(Date.parse(day) - days * DAY_MS);
const sum = (days: readonly DayCounts[], name: keyof DayCounts) => days.reduce((total, day) => total + day[name], 0);
