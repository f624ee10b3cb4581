import type { Connector } from '../connector.ts';
import { GRAPH_HOSTS } from '../graph/limits.ts';
import { readCalls, reads, reels } from './quotas.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { facebookRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** Facebook Pages. */
export const facebook: Connector = {
  ...facebookRules,
  platform: 'facebook',
  hosts: GRAPH_HOSTS,
  oauth,
  quotas: [reels, reads],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  reading,
  readCalls,
};
