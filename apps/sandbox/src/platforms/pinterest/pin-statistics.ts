import { countsOf, daysBetween, splitAmong, type PostCounts } from '../../world/statistics.ts';
import type { Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import { recentDays, type Days } from './analytics-range.ts';

/** The statistics of a pin on each day of its life, by day. Their sum is its lifetime statistics. */
export function dailyCountsOf(world: World, pin: Post): Map<string, PostCounts> {
  const days = daysBetween(world, Math.min(Date.parse(pin.created_at), world.now() - 1), Infinity);
  const byDay = new Map(days.map((day) => [day, { ...nothing }]));
  for (const [name, total] of Object.entries(countsOf(world, pin)) as [keyof PostCounts, number][]) {
    for (const { bucket, count } of splitAmong(total, days, pin.id, name)) byDay.get(bucket)![name] = count;
  }
  return byDay;
}

/** The statistics of a pin on some days. */
export function countsIn(daily: ReadonlyMap<string, PostCounts>, { start, end }: Days): PostCounts {
  const sum = { ...nothing };
  for (const [day, counts] of daily) {
    if (day < start || day > end) continue;
    for (const name of Object.keys(sum) as (keyof PostCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** `pin_metrics` of a pin. */
export function pinMetrics(world: World, pin: Post): Record<string, unknown> {
  const lifetime = countsOf(world, pin);
  const days = recentDays(world);
  const recent = pin.created_at.slice(0, 10) >= days.start ? lifetime : countsIn(dailyCountsOf(world, pin), days);
  return {
    '90d': clicksOf(recent),
    lifetime_metrics: { ...clicksOf(lifetime), reaction: lifetime.likes, comment: lifetime.comments },
  };
}

/** Half of the people who open a pin open its link. */
export const pinClicks = ({ clicks }: PostCounts) => clicks * 2;

const clicksOf = (counts: PostCounts) => ({ pin_click: pinClicks(counts), impression: counts.impressions, clickthrough: counts.clicks });

const nothing: Readonly<PostCounts> = {
  impressions: 0,
  reach: 0,
  views: 0,
  likes: 0,
  comments: 0,
  shares: 0,
  saves: 0,
  clicks: 0,
  watch_time_ms: 0,
  completed: 0,
};
