import type { Connector } from '../connector.ts';
import { drafts, posts } from './budgets.ts';
import { check } from './check.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** TikTok, by its Content Posting API v2. */
export const tiktok: Connector = {
  platform: 'tiktok',
  hosts: HOSTS,
  limits,
  check,
  options,
  oauth,
  budgets: [posts, drafts],
  choices,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
