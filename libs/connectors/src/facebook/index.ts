import type { Connector } from '../connector.ts';
import { GRAPH_HOSTS } from '../graph/limits.ts';
import { reels } from './budgets.ts';
import { check } from './check.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** Facebook Pages. */
export const facebook: Connector = {
  platform: 'facebook',
  hosts: GRAPH_HOSTS,
  limits,
  check,
  options,
  oauth,
  budgets: [reels],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
