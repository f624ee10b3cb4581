import type { Connector } from '../connector.ts';
import { check } from './check.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** Posts of Google Business Profile locations, by the My Business API v4 and the v1 services beside it. */
export const googleBusiness: Connector = {
  platform: 'google_business',
  hosts: HOSTS,
  limits,
  check,
  options,
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
