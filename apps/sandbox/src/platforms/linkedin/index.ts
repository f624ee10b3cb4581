import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { createOrganization } from './accounts.ts';
import { linkedinCard } from './card.ts';
import { commentOperations } from './comments.ts';
import { internalError, notFound, rejection, revokedToken } from './errors.ts';
import { imageOperations } from './images.ts';
import { hosts } from './limits.ts';
import { memberOperations } from './members.ts';
import { oauthOperations } from './oauth.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';
import { nameOperations } from './standard-names.ts';
import { statisticsOperations } from './statistics.ts';
import { videoAnalyticsOperations } from './video-analytics.ts';
import { videoOperations } from './videos.ts';

export const linkedin: Platform = {
  name: 'linkedin',
  label: 'LinkedIn',
  hosts: [hosts.api, hosts.web],
  operations: [
    ...oauthOperations,
    ...memberOperations,
    ...imageOperations,
    ...videoOperations,
    ...publishOperations,
    ...commentOperations,
    ...readOperations,
    ...statisticsOperations,
    ...videoAnalyticsOperations,
    ...nameOperations,
    ...publicOperations,
  ],
  notFound: (call) => (call.host === hosts.api ? notFound() : webNotFound('LinkedIn')),
  revokedToken,
  rejection,
  internalError,
  createAccount: createOrganization,
  card: linkedinCard,
  settable: {
    post: ['impressions', 'reach', 'clicks', 'views', 'watch_time_ms', 'likes', 'comments', 'shares'],
    account: ['followers'],
    day: ['impressions', 'reach', 'clicks', 'profile_views', 'website_clicks', 'follows', 'unfollows', 'likes', 'comments', 'shares'],
  },
  demo: { username: 'fanfare-demo', name: 'Fanfare Demo Café' },
};
