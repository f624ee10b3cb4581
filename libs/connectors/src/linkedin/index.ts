import type { Connector } from '../connector.ts';
import { accountKind } from './account-kind.ts';
import { check } from './check.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** LinkedIn, members and pages, by its Posts API. */
export const linkedin: Connector = {
  platform: 'linkedin',
  hosts: HOSTS,
  limits,
  check,
  accountKind,
  options,
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
