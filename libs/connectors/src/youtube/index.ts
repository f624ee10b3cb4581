import type { Connector } from '../connector.ts';
import { OAUTH_HOST } from '../google/limits.ts';
import { videosInsert } from './budgets.ts';
import { check } from './check.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { API_HOST, COMMIT_TIMEOUT_MS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** YouTube channels, by the Data API v3. Videos only: it has no call for community posts. */
export const youtube: Connector = {
  platform: 'youtube',
  hosts: [API_HOST, OAUTH_HOST],
  limits,
  check,
  options,
  oauth,
  budgets: [videosInsert],
  choices,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
