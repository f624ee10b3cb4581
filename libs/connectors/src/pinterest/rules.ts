import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';

/** Preflight rules of Pinterest. */
export const pinterestRules: PlatformRules = {
  label: 'Pinterest',
  limits,
  options,
  optionsWithChoices: ['board_id', 'board_section_id'],
  capabilities: capabilitiesIn(features),
  readingRules,
  covers: ['cover_media_id'],
  source: 'https://developers.pinterest.com/docs/api/v5/pins-create',
};
