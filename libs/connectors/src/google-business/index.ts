import type { Connector } from '../connector.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { appReads, readCalls, reads } from './quotas.ts';
import { googleBusinessRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** Posts of Google Business Profile locations, by the My Business API v4 and the v1 services beside it. */
export const googleBusiness: Connector = {
  ...googleBusinessRules,
  platform: 'google_business',
  hosts: HOSTS,
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  reading,
  readCalls,
  quotas: [reads, appReads],
};
