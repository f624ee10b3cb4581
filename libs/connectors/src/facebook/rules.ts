import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

const REELS = 'https://developers.facebook.com/docs/video-api/guides/reels-publishing';

/** Preflight rules of Facebook. */
export const facebookRules: PlatformRules = {
  label: 'Facebook',
  company: 'meta',
  limits,
  check,
  warn,
  options,
  capabilities: capabilitiesIn(features),
  readingRules,
  covers: ['cover_media_id'],
  source: 'https://developers.facebook.com/docs/pages-api/posts',
  sources: { images: 'https://developers.facebook.com/docs/graph-api/reference/page/photos', videos: REELS, options: REELS },
};
