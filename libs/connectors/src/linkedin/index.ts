import type { Connector } from '../connector.ts';
import { isVersionRejection } from './errors.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, SETTLE_MS, VERSION, VERSION_HEADER } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { readCalls, reads } from './quotas.ts';
import { linkedinRules } from './rules.ts';
import { reading } from './reading.ts';
import { unpublish } from './unpublish.ts';

/** LinkedIn, members and pages, by its Posts API. */
export const linkedin: Connector = {
  ...linkedinRules,
  platform: 'linkedin',
  hosts: HOSTS,
  apiVersion: { header: VERSION_HEADER, version: VERSION, isRejected: isVersionRejection },
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  unpublish,
  reading,
  readCalls,
  quotas: [reads],
};
