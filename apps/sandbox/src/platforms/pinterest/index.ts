import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { accountAnalyticsOperations } from './account-analytics.ts';
import { createUser } from './accounts.ts';
import { adAccountOperations } from './ad-accounts.ts';
import { pinterestCard } from './card.ts';
import { authenticationFailed, internalError, notFound, rejection, storageError } from './errors.ts';
import { hosts } from './limits.ts';
import { mediaOperations } from './media.ts';
import { oauthOperations } from './oauth.ts';
import { pinAnalyticsOperations } from './pin-analytics.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';
import { storageOperations } from './storage.ts';

export const pinterest: Platform = {
  name: 'pinterest',
  label: 'Pinterest',
  hosts: [hosts.api, hosts.web, 'pinterest.com', hosts.storage],
  operations: [
    ...oauthOperations,
    ...mediaOperations,
    ...storageOperations,
    ...publishOperations,
    ...readOperations,
    ...accountAnalyticsOperations,
    ...pinAnalyticsOperations,
    ...adAccountOperations,
    ...publicOperations,
  ],
  notFound(call) {
    if (call.host === hosts.api) return notFound();
    return call.host === hosts.storage ? storageError(404, 'NoSuchKey', 'The specified key does not exist.') : webNotFound('Pinterest');
  },
  revokedToken: authenticationFailed,
  rejection,
  internalError,
  createAccount: createUser,
  card: pinterestCard,
  settable: {
    post: ['impressions', 'clicks', 'saves', 'likes', 'comments', 'views', 'watch_time_ms', 'completed'],
    account: ['followers'],
    day: ['impressions', 'clicks', 'website_clicks', 'engagements', 'saves'],
  },
  demo: { username: 'fanfare_demo', name: 'Fanfare Demo Café' },
};
