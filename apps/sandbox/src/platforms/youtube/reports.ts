import { countsOf, dayCountsOf, daysBetween, splitAmong, sumOf, type DayCounts } from '../../world/statistics.ts';
import type { Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { videosOf } from './videos-of.ts';
import { durationOf } from './video.ts';

export interface Report {
  dimension: string | null;
  metrics: string[];
  /** A column's name, with `-` before it for descending order. */
  sort: string | null;
  startDate: string;
  /** Included. */
  endDate: string;
  /** null for the whole channel. */
  videos: string[] | null;
}

type Columns = Readonly<Record<string, 'INTEGER' | 'FLOAT'>>;
type Row = Readonly<Record<string, string | number>>;

const counted: Columns = {
  views: 'INTEGER',
  engagedViews: 'INTEGER',
  estimatedMinutesWatched: 'INTEGER',
  averageViewDuration: 'INTEGER',
  averageViewPercentage: 'FLOAT',
  likes: 'INTEGER',
  comments: 'INTEGER',
  shares: 'INTEGER',
};
const ofChannel: Columns = { ...counted, subscribersGained: 'INTEGER', subscribersLost: 'INTEGER' };
const viewers: Columns = { viewerPercentage: 'FLOAT' };
const ages = ['age13-17', 'age18-24', 'age25-34', 'age35-44', 'age45-54', 'age55-64', 'age65-'];
const countries = ['US', 'GB', 'DE', 'IN', 'BR'];

const byDimension: Readonly<Record<string, Columns>> = {
  ...{ none: ofChannel, day: ofChannel, video: counted, country: counted },
  ...{ ageGroup: viewers, gender: viewers },
};

/** The metrics that a report by a dimension can have; undefined if there is no such report. */
export const metricsOf = (dimension: string | null): Columns | undefined =>
  Object.hasOwn(byDimension, dimension ?? 'none') ? byDimension[dimension ?? 'none'] : undefined;

export const isMetric = (name: string): boolean => Object.values(byDimension).some((columns) => Object.hasOwn(columns, name));

/** No days and videos that the reports have not reached yet, and no groups without viewers. */
export function rowsOf(world: World, channel: Account, report: Report): (string | number)[][] {
  const rows = sorted(found(world, channel, report), report.sort);
  return rows.map((row) => [...(report.dimension ? [report.dimension] : []), ...report.metrics].map((name) => row[name]!));
}

function found(world: World, channel: Account, report: Report): Row[] {
  const { startDate, endDate, dimension, videos } = report;
  const days = daysBetween(world, Date.parse(startDate), Date.parse(`${endDate}T23:59:59Z`));
  const counts = days.map((day) => dayCountsOf(world, channel, day));
  const views = sumOf(counts, 'video_views');
  const groups = (names: string[]) => (views > 0 ? splitAmong(views, names, channel.id, dimension!) : []);
  switch (dimension) {
    case 'day':
      return counts.map((one, at) => ({ day: days[at]!, ...columnsOf([one]) }));
    case 'video':
      return videosOf(world, channel.id)
        .filter(({ id, created_at }) => (videos?.includes(id) ?? true) && created_at.slice(0, 10) <= endDate)
        .map((post) => ({ video: post.id, ...columnsOfVideo(world, post) }));
    case 'country':
      return groups(countries).map(({ bucket, count }) => ({ country: bucket, ...columnsOf(counts), views: count }));
    case 'ageGroup':
      return groups(ages).map(({ bucket, count }) => ({ ageGroup: bucket, viewerPercentage: (100 * count) / views }));
    case 'gender':
      return groups(['female', 'male']).map(({ bucket, count }) => ({ gender: bucket, viewerPercentage: (100 * count) / views }));
    default:
      return [columnsOf(counts)];
  }
}

function columnsOf(days: readonly DayCounts[]): Row {
  const views = sumOf(days, 'video_views');
  return {
    views,
    engagedViews: Math.round(views * 0.7),
    estimatedMinutesWatched: Math.round(views * 0.4),
    averageViewDuration: views > 0 ? 24 : 0,
    averageViewPercentage: views > 0 ? 61.5 : 0,
    likes: sumOf(days, 'likes'),
    comments: sumOf(days, 'comments'),
    shares: sumOf(days, 'shares'),
    subscribersGained: sumOf(days, 'follows'),
    subscribersLost: sumOf(days, 'unfollows'),
  };
}

function columnsOfVideo(world: World, post: Post): Row {
  const { views, likes, comments, shares, watch_time_ms: watched } = countsOf(world, post);
  const viewMs = views > 0 ? watched / views : 0;
  const duration = durationOf(world, post);
  return {
    ...{ views, likes, comments, shares },
    engagedViews: Math.round(views * 0.7),
    estimatedMinutesWatched: Math.round(watched / 60_000),
    averageViewDuration: Math.round(viewMs / 1_000),
    averageViewPercentage: duration > 0 ? Number(((100 * viewMs) / duration).toFixed(2)) : 0,
  };
}

function sorted(rows: Row[], sort: string | null): Row[] {
  if (sort === null) return rows;
  const name = sort.replace(/^-/, '');
  const compare = (one: Row, other: Row) => (one[name]! < other[name]! ? -1 : one[name]! > other[name]! ? 1 : 0);
  return rows.toSorted(sort.startsWith('-') ? (one, other) => compare(other, one) : compare);
}
