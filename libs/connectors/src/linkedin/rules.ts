import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { accountKind } from './account-kind.ts';
import { check } from './check.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

/** Preflight rules of LinkedIn. */
export const linkedinRules: PlatformRules = {
  label: 'LinkedIn',
  limits,
  accountKind,
  check,
  warn,
  options,
  capabilities: capabilitiesIn(features),
  readingRules,
  source: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api',
  sources: { images: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api' },
};
