import type { Connector } from '../connector.ts';
import { GRAPH_HOSTS } from '../graph/limits.ts';
import { posts, readCalls, reads } from './quotas.ts';
import { findPublished } from './find-published.ts';
import { instagramLogin } from './instagram-login.ts';
import { COMMIT_TIMEOUT_MS, INSTAGRAM_LOGIN_HOSTS, SETTLE_MS } from './limits.ts';
import { oauth } from './oauth.ts';
import { next } from './publish.ts';
import { instagramRules } from './rules.ts';
import { reading } from './reading.ts';

/** Instagram professional accounts. */
export const instagram: Connector = {
  ...instagramRules,
  platform: 'instagram',
  hosts: [...GRAPH_HOSTS, ...INSTAGRAM_LOGIN_HOSTS],
  oauth,
  logins: { facebook: oauth, instagram: instagramLogin },
  quotas: [posts, reads],
  publish: { commitTimeoutMs: COMMIT_TIMEOUT_MS, settleMs: SETTLE_MS, next, findPublished },
  reading,
  readCalls,
};
