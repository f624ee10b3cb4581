import type { Connector } from '../connector.ts';
import { appReads, readCalls, reads, spendMillidollars } from './quotas.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { xRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** X, by its API v2. */
export const x: Connector = {
  ...xRules,
  platform: 'x',
  hosts: HOSTS,
  oauth,
  quotas: [spendMillidollars, reads, appReads],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  reading,
  readCalls,
};
