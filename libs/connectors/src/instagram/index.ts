import type { Connector } from '../connector.ts';
import { GRAPH_HOSTS } from '../graph/limits.ts';
import { check } from './check.ts';
import { posts } from './budgets.ts';
import { findPublished } from './find-published.ts';
import { instagramLogin } from './instagram-login.ts';
import { COMMIT_TIMEOUT_MS, INSTAGRAM_LOGIN_HOSTS, limits, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { next } from './publish.ts';

/** Instagram professional accounts. */
export const instagram: Connector = {
  platform: 'instagram',
  hosts: [...GRAPH_HOSTS, ...INSTAGRAM_LOGIN_HOSTS],
  limits,
  check,
  options,
  oauth,
  logins: { facebook: oauth, instagram: instagramLogin },
  budgets: [posts],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
};
