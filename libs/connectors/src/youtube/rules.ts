import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';

/** Preflight rules of YouTube. */
export const youtubeRules: PlatformRules = {
  label: 'YouTube',
  limits,
  check,
  options,
  optionsWithChoices: ['category_id'],
  capabilities: capabilitiesIn(features),
  readingRules,
  source: 'https://developers.google.com/youtube/v3/docs/videos',
  sources: { videos: 'https://developers.google.com/youtube/v3/docs/videos/insert' },
  optionSources: { category_id: 'https://developers.google.com/youtube/v3/docs/videoCategories/list' },
};
