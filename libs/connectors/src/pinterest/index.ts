import type { Connector } from '../connector.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { readCalls, reads } from './quotas.ts';
import { pinterestRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** Pinterest, by its API v5. */
export const pinterest: Connector = {
  ...pinterestRules,
  platform: 'pinterest',
  hosts: HOSTS,
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  choices,
  reading,
  readCalls,
  quotas: [reads],
};
