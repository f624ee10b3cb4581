import { capabilitiesIn } from '../features.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { check } from './check.ts';
import { features, limits } from './limits.ts';
import { options } from './options.ts';
import { readingRules } from './reading-rules.ts';
import { warn } from './warn.ts';

/** Preflight rules of Google Business. */
export const googleBusinessRules: PlatformRules = {
  label: 'Google Business',
  aliases: ['google business', 'gbp'],
  limits,
  check,
  warn,
  options,
  linkOptions: [
    ['call_to_action', 'url'],
    ['offer', 'redeem_online_url'],
  ],
  capabilities: capabilitiesIn(features),
  readingRules,
  source: 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts',
};
