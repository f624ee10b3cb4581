import type { Connector } from '../connector.ts';
import { OAUTH_HOST } from '../google/limits.ts';
import { readCalls, reads, videosInsert } from './quotas.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { ANALYTICS_HOST, API_HOST, COMMIT_TIMEOUT_MS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { youtubeRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** YouTube channels, by the Data API v3. Videos only: the API has no call for community posts. */
export const youtube: Connector = {
  ...youtubeRules,
  platform: 'youtube',
  hosts: [API_HOST, ANALYTICS_HOST, OAUTH_HOST],
  oauth,
  quotas: [videosInsert, reads],
  choices,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  reading,
  readCalls,
};
