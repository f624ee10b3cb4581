import type { Budget } from '../budget.ts';

/** Over all apps: what people post by others TikTok counts too, and does not tell. */
export const posts: Budget = {
  name: 'posts',
  of: 'account',
  limit: 15,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.tiktok.com/doc/content-sharing-guidelines: about 15 direct posts a creator and day',
};
