import type { Connector } from '../connector.ts';
import { choices } from './choices.ts';
import { findPublished } from './find-published.ts';
import { COMMIT_TIMEOUT_MS, HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** Pinterest, by its API v5. */
export const pinterest: Connector = {
  platform: 'pinterest',
  hosts: HOSTS,
  limits,
  options,
  oauth,
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  choices,
};
