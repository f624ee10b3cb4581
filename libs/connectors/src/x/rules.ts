import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

const MEDIA = 'https://docs.x.com/x-api/media/quickstart/best-practices';

/** Preflight rules of X. */
export const xRules: PlatformRules = {
  label: 'X',
  aliases: ['twitter', 'twitter/x'],
  limits,
  check,
  warn,
  options,
  capabilities: capabilitiesIn(features),
  readingRules,
  source: 'https://docs.x.com/fundamentals/counting-characters',
  sources: { images: MEDIA, videos: MEDIA, options: 'https://docs.x.com/x-api/posts/create-post' },
};
