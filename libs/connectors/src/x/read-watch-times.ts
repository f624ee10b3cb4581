import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, stringAt } from '../calls/fields.ts';
import { idsLike } from '../reading/ids.ts';
import { requiredList } from '../reading/required.ts';
import { countAt, scaled, sumOf } from '../reading/statistics.ts';
import type { PlatformPost, PostStatistics, ReadCall } from '../reading/reading.ts';
import { xCall } from './x-call.ts';

/** What is counted ends so far in the past that the end is not in the future by X's clock. */
const CLOCKS_DIFFER_MS = 10_000;

export interface PostWithVideo {
  readonly post: PlatformPost;
  /** The media key of its video, if it has one. */
  readonly video?: string;
}

type WatchTimes = Pick<PostStatistics, 'totalWatchTimeMs' | 'avgWatchTimeMs'>;

/** Adds how long the videos of posts, at most 100, were watched. If none has a video, X is not called. */
export async function withWatchTimes(call: ReadCall, posts: readonly PostWithVideo[]): Promise<PlatformPost[]> {
  const keys = idsLike(/^\d+_\d+$/, [...new Set(posts.flatMap(({ video }) => video ?? []))]);
  const created = posts.flatMap(({ post, video }) => (video === undefined ? [] : (post.createdAt?.getTime() ?? [])));
  if (keys.length === 0 || created.length === 0) return posts.map(({ post }) => post);
  const times = await readWatchTimes(call, keys, new Date(Math.min(...created)));
  return posts.map(({ post, video }) => (video === undefined ? post : { ...post, stats: { ...post.stats, ...times.get(video) } }));
}

/**
 * X offers this only to the apps of its Enterprise customers. It rejects the call of other apps, which then costs nothing. Whatever X rejects here, the
 * other statistics are known.
 */
async function readWatchTimes(call: ReadCall, keys: readonly string[], since: Date): Promise<ReadonlyMap<string, WatchTimes>> {
  const query = {
    media_keys: keys.join(','),
    start_time: `${since.toISOString().slice(0, 10)}T00:00:00Z`,
    end_time: new Date(call.now.getTime() - CLOCKS_DIFFER_MS).toISOString(),
    granularity: 'total',
    'media_analytics.fields': 'media_key,timestamp,video_views,watch_time_ms',
  };
  let response: unknown;
  try {
    response = await xCall(call, { method: 'GET', path: '/media/analytics', isLookup: true, query });
  } catch (error) {
    if (error instanceof PlatformFailure && (error.class === 'permission' || error.class === 'validation')) return new Map();
    throw error;
  }
  if (at(response, 'data') === undefined) requiredList(response, 'errors');
  return new Map(
    listAt(response, 'data').flatMap((media) => {
      const key = stringAt(media, 'media_key');
      return key === undefined ? [] : [[key, watchTimesOf(listAt(media, 'timestamped_metrics'))] as const];
    }),
  );
}

/** The average is that of the views in the same response: `view_count` of the media is counted at another time. */
function watchTimesOf(entries: readonly unknown[]): WatchTimes {
  const of = (name: string) => sumOf(entries.map((entry) => countAt(entry, 'metrics', name)));
  const [views, watched] = [of('video_views'), of('watch_time_ms')];
  return { totalWatchTimeMs: watched, avgWatchTimeMs: views === null || views === 0 ? null : scaled(watched, 1 / views) };
}
