import { internalError, rejection, unauthenticated } from '../google/errors.ts';
import { hosts as googleHosts } from '../google/limits.ts';
import { oauthOperations } from '../google/oauth.ts';
import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { createLocation, locationsOf } from './accounts.ts';
import { googleBusinessCard } from './card.ts';
import { frontendNotFound } from './errors.ts';
import { hosts, scopes } from './limits.ts';
import { performanceOperations } from './performance.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';

const webHosts: readonly string[] = [hosts.web, hosts.maps];

export const googleBusiness: Platform = {
  name: 'google_business',
  label: 'Google Business',
  hosts: [hosts.posts, hosts.accounts, hosts.locations, hosts.performance, ...webHosts, googleHosts.accounts, googleHosts.oauth],
  operations: [
    ...oauthOperations({
      platform: 'google_business',
      title: 'Google Business Profile',
      scopes,
      accountsOf: locationsOf,
      all: 'Every location that you manage',
    }),
    ...publishOperations,
    ...readOperations,
    ...performanceOperations,
    ...publicOperations,
  ],
  notFound: ({ host, path }) => (webHosts.includes(host) ? webNotFound('Google') : frontendNotFound(path)),
  revokedToken: unauthenticated,
  rejection,
  internalError,
  createAccount: createLocation,
  card: googleBusinessCard,
  settable: {
    post: [],
    account: [],
    day: ['impressions', 'clicks', 'website_clicks'],
  },
  demo: { username: 'fanfare_demo', name: 'Fanfare Demo Café' },
};
