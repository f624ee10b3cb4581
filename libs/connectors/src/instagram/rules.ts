import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { DAY_MS, features, limits, POSTS_A_DAY } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

const MEDIA = 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media';

/** Preflight rules of Instagram. */
export const instagramRules: PlatformRules = {
  label: 'Instagram',
  company: 'meta',
  loginMethods: [
    { login: 'facebook', accounts: 'accounts linked to a Facebook page that the person manages' },
    { login: 'instagram', accounts: 'any professional account', app: 'instagram_login', personIsAccount: true },
  ],
  limits,
  check,
  warn,
  options,
  capabilities: capabilitiesIn(features),
  readingRules,
  postQuota: { limit: POSTS_A_DAY, windowMs: DAY_MS },
  covers: ['cover_media_id'],
  source: 'https://developers.facebook.com/docs/instagram-platform/content-publishing',
  sources: { text: MEDIA, images: MEDIA, videos: MEDIA, options: MEDIA },
};
