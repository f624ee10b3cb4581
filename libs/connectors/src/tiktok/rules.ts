import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { DAY_MS, features, limits, POSTS_A_DAY } from './limits.ts';
import { isDraft, options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

const DIRECT_POST = 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post';
const MEDIA = 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide';

/** Preflight rules of TikTok. */
export const tiktokRules: PlatformRules = {
  label: 'TikTok',
  limits,
  check,
  warn,
  options,
  optionsWithChoices: ['privacy_level'],
  capabilities: capabilitiesIn(features),
  readingRules,
  postQuota: { limit: POSTS_A_DAY, windowMs: DAY_MS, isUsedBy: (options) => !isDraft({ options }) },
  covers: ['video_cover_timestamp_ms'],
  source: MEDIA,
  sources: { text: DIRECT_POST, images: MEDIA, videos: MEDIA, options: DIRECT_POST },
};
