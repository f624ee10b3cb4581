import type { Quota } from '../quota.ts';

/** Over all apps: what people post by others TikTok counts too, and does not tell. */
export const posts: Quota = {
  name: 'posts',
  of: 'account',
  limit: 15,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.tiktok.com/doc/content-sharing-guidelines: about 15 direct posts a creator and day',
};

/** Those that the creator posts or throws away TikTok no longer counts, and does not tell. */
export const drafts: Quota = {
  name: 'drafts',
  of: 'account',
  limit: 5,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.tiktok.com/doc/content-posting-api-reference-upload-video: 5 pending shares within 24 hours',
};
