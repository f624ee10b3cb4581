import type { Quota } from '../quota.ts';

export const reels: Quota = {
  name: 'reels',
  of: 'account',
  limit: 30,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.facebook.com/docs/video-api/guides/reels-publishing: 30 reels a page in 24 hours, rolling',
};
