import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { appFields } from './app-fields.ts';
import { createUser } from './accounts.ts';
import { xCard } from './card.ts';
import { internalError, notFound, rejection, unauthorized } from './errors.ts';
import { hosts } from './limits.ts';
import { mediaAnalyticsOperations } from './media-analytics.ts';
import { mediaOperations } from './media.ts';
import { oauthOperations } from './oauth.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';

export const x: Platform = {
  name: 'x',
  label: 'X',
  hosts: [hosts.api, hosts.web, 'twitter.com'],
  operations: [
    ...oauthOperations,
    ...mediaOperations,
    ...publishOperations,
    ...readOperations,
    ...mediaAnalyticsOperations,
    ...publicOperations,
  ],
  notFound: (call) => (call.host === hosts.api ? notFound() : webNotFound('X')),
  revokedToken: unauthorized,
  rejection,
  internalError,
  appFields,
  createAccount: createUser,
  card: xCard,
  settable: {
    post: ['impressions', 'reach', 'clicks', 'saves', 'views', 'completed', 'likes', 'comments', 'shares'],
    account: ['followers'],
    day: [],
  },
  demo: { username: 'fanfare_demo', name: 'Fanfare Demo Café' },
};
