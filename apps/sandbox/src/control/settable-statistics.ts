import type { PlatformName } from '../platforms/platform-name.ts';
import type { DayCounts, PostCounts } from '../world/statistics.ts';

interface Settable {
  readonly post: readonly (keyof PostCounts)[];
  readonly account: readonly 'followers'[];
  readonly day: readonly (keyof DayCounts)[];
}

const ACTIONS = ['likes', 'comments', 'shares'] as const;
const WATCHED = ['views', 'watch_time_ms', 'completed'] as const;
const followers = ['followers'] as const;

/** The statistics that responses of a platform show: `CONTROL.md` lists them. */
export const settable: Readonly<Record<PlatformName, Settable>> = {
  facebook: {
    post: ['impressions', 'reach', 'clicks', 'likes', 'shares', ...WATCHED],
    account: followers,
    day: ['impressions', 'reach', 'profile_views', 'website_clicks', 'engagements', 'video_views', 'follows', 'unfollows'],
  },
  google_business: { post: [], account: [], day: ['impressions', 'clicks', 'website_clicks'] },
  instagram: {
    post: ['reach', 'clicks', 'saves', ...ACTIONS, ...WATCHED],
    account: followers,
    day: ['impressions', 'reach', 'website_clicks', 'engagements', 'saves', 'follows', 'unfollows', ...ACTIONS],
  },
  linkedin: {
    post: ['impressions', 'reach', 'clicks', 'views', 'watch_time_ms', ...ACTIONS],
    account: followers,
    day: ['impressions', 'reach', 'clicks', 'profile_views', 'website_clicks', 'follows', 'unfollows', ...ACTIONS],
  },
  pinterest: {
    post: ['impressions', 'clicks', 'saves', 'likes', 'comments', ...WATCHED],
    account: followers,
    day: ['impressions', 'clicks', 'website_clicks', 'engagements', 'saves'],
  },
  tiktok: { post: ['views', ...ACTIONS], account: followers, day: [] },
  x: { post: ['impressions', 'reach', 'clicks', 'saves', 'views', 'completed', ...ACTIONS], account: followers, day: [] },
  youtube: { post: ['views', 'watch_time_ms', ...ACTIONS], account: followers, day: ['video_views', 'follows', 'unfollows', ...ACTIONS] },
};
