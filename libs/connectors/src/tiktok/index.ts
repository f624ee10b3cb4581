import type { Connector } from '../connector.ts';
import { appReads, drafts, posts, reads } from './quotas.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { tiktokRules } from './rules.ts';
import { reading } from './reading.ts';

/** TikTok, by its Content Posting API v2. */
export const tiktok: Connector = {
  ...tiktokRules,
  platform: 'tiktok',
  hosts: HOSTS,
  oauth,
  quotas: [posts, drafts, reads, appReads],
  choices,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  reading,
};
