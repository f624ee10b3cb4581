import { createHash } from 'node:crypto';
import { repliesTo, type Post } from './post.ts';
import type { Account, World } from './world.ts';

/** What a platform counts of a post. */
export interface PostCounts {
  impressions: number;
  reach: number;
  views: number;
  likes: number;
  comments: number;
  shares: number;
  saves: number;
  clicks: number;
  /** Of a video: milliseconds that people watched it. */
  watch_time_ms: number;
  /** Views to the end. */
  completed: number;
}

/** What a platform counts of an account in a day. */
export interface DayCounts {
  impressions: number;
  reach: number;
  profile_views: number;
  website_clicks: number;
  engagements: number;
  follows: number;
  unfollows: number;
  video_views: number;
  likes: number;
  comments: number;
  shares: number;
  saves: number;
  clicks: number;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** After this time a post has two thirds of its final statistics. */
const GROWTH_HOURS = 18;

/** Statistics that a test has set, by the id of a post or account, or by `{account}:{day}`. They replace generated ones. */
const chosen = (world: World) => world.table<Record<string, number>>('numbers');

/** Sets statistics of a post or an account. Others stay unchanged. */
export function chooseStatistics(world: World, id: string, statistics: Record<string, number>): void {
  chosen(world).set(id, { ...chosen(world).get(id), ...statistics });
  world.touched();
}

/** From 0 to 1, always the same for the same text. */
function fraction(...of: readonly string[]): number {
  return createHash('sha256').update(of.join('|')).digest().readUInt32BE() / 2 ** 32;
}

interface CountOptions {
  /** By default now. */
  readonly atMs?: number;
  /** Whether the platform counts each impression as a view. By default views are a part of those reached. */
  readonly viewsAreImpressions?: boolean;
}

/** The statistics of a post. They grow with its age, quickly at first, and never shrink. */
export function countsOf(world: World, post: Post, { atMs = world.now(), viewsAreImpressions = false }: CountOptions = {}): PostCounts {
  const followers = world.accounts.get(post.account_id)?.followers ?? 0;
  const hours = Math.max(0, atMs - Date.parse(post.created_at)) / HOUR_MS;
  const grown = (1 - Math.exp(-hours / GROWTH_HOURS)) * followers;
  const share = (what: string, least: number, most: number) => least + (most - least) * fraction(post.id, what);
  const reach = Math.round(grown * share('reach', 0.2, 0.8));
  const impressions = Math.round(reach * share('impressions', 1.1, 1.6));
  const views = viewsAreImpressions ? impressions : Math.round(reach * share('views', 0.4, 0.9));
  return {
    impressions,
    reach,
    views,
    likes: Math.round(reach * share('likes', 0.01, 0.08)),
    comments: repliesTo(world, post.id).length,
    shares: Math.round(reach * share('shares', 0, 0.01)),
    saves: Math.round(reach * share('saves', 0, 0.02)),
    clicks: Math.round(reach * share('clicks', 0, 0.03)),
    watch_time_ms: views * Math.round(share('watch', 2_000, 9_000)),
    completed: Math.round(views * share('completed', 0.1, 0.6)),
    ...chosen(world).get(post.id),
  };
}

/** The statistics of an account on a day, `YYYY-MM-DD`. Larger accounts have more; weekends have less. */
export function dayCountsOf(world: World, account: Account, day: string): DayCounts {
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const size = account.followers * (isWeekend ? 0.6 : 1);
  const of = (what: string, most: number) => Math.round(size * most * (0.5 + fraction(account.id, day, what) / 2));
  const reach = of('reach', 0.2);
  return {
    impressions: Math.round(reach * 1.4),
    reach,
    profile_views: of('profile_views', 0.02),
    website_clicks: of('website_clicks', 0.005),
    engagements: of('engagements', 0.03),
    follows: of('follows', 0.004),
    unfollows: of('unfollows', 0.001),
    video_views: of('video_views', 0.05),
    likes: of('likes', 0.02),
    comments: of('comments', 0.003),
    shares: of('shares', 0.002),
    saves: of('saves', 0.002),
    clicks: of('clicks', 0.01),
    ...chosen(world).get(`${account.id}:${day}`),
  };
}

/** How many follow an account now. */
export const followersOf = (world: World, account: Account): number => chosen(world).get(account.id)?.['followers'] ?? account.followers;

/** The days from one time on and before another, oldest first, up to today. */
export function daysBetween(world: World, fromMs: number, untilMs: number): string[] {
  const first = Math.floor(fromMs / DAY_MS);
  const end = Math.ceil(Math.min(untilMs, world.now()) / DAY_MS);
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => new Date((first + at) * DAY_MS).toISOString().slice(0, 10));
}

export const sumOf = (days: readonly DayCounts[], name: keyof DayCounts): number => days.reduce((total, day) => total + day[name], 0);

/** Those reached in several days, each counted once: fewer than the sum of the days. */
export const reachOver = (days: readonly DayCounts[]): number =>
  Math.max(0, ...days.map(({ reach }) => reach)) + Math.round((days.length > 1 ? sumOf(days, 'reach') : 0) / 10);

/** Splits a total among buckets, always the same way for the same `of`. The parts add up to the total; the largest comes first. */
export function splitAmong(total: number, buckets: readonly string[], ...of: readonly string[]): { bucket: string; count: number }[] {
  const weights = buckets.map((bucket) => 0.1 + fraction(...of, bucket));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const parts = buckets.map((bucket, at) => ({ bucket, count: Math.floor((total * weights[at]!) / sum) }));
  parts[0]!.count += total - parts.reduce((all, { count }) => all + count, 0);
  return parts.sort((one, other) => other.count - one.count);
}
