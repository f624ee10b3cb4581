import { APP_READS, readsPerHour } from '../reading/reads-quota.ts';
import type { Quota } from '../quota.ts';
import { DAY_MS, POSTS_A_DAY } from './limits.ts';

/** Across all apps: TikTok also counts posts made with other apps, but does not report them. */
export const posts: Quota = {
  name: 'posts',
  of: 'account',
  limit: POSTS_A_DAY,
  window: { rollingMs: DAY_MS },
  spentBy: 'post',
  source: 'developers.tiktok.com/doc/content-sharing-guidelines: about 15 direct posts a creator and day',
};

/** TikTok stops counting drafts that the creator posts or deletes, but does not report it. */
export const drafts: Quota = {
  name: 'drafts',
  of: 'account',
  limit: 5,
  window: { rollingMs: 24 * 3_600_000 },
  spentBy: 'post',
  source: 'developers.tiktok.com/doc/content-posting-api-reference-upload-video: 5 pending shares within 24 hours',
};

const source = 'developers.tiktok.com/doc/tiktok-api-v2-rate-limit: 600 calls a minute for each endpoint and app';

export const reads = readsPerHour(120, source);

/** Publishing reads lists of videos too, to find a post. */
export const appReads: Quota = { name: APP_READS, of: 'app', limit: 450, window: { everyMinute: true }, spentBy: 'call', source };
