import type { Connector } from '../connector.ts';
import { check } from './check.ts';
import { spendMillidollars } from './budgets.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** X, by its API v2. */
export const x: Connector = {
  platform: 'x',
  hosts: HOSTS,
  limits,
  check,
  options,
  oauth,
  budgets: [spendMillidollars],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
