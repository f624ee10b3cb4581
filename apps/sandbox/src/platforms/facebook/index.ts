import { appFields } from '../graph/app-fields.ts';
import { graphRejection, graphInternalError, sessionEnded, unknownPath } from '../graph/errors.ts';
import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { createPage } from './accounts.ts';
import { facebookCard } from './card.ts';
import { insightOperations } from './insights.ts';
import { hosts } from './limits.ts';
import { oauthOperations } from './oauth.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';
import { videoOperations } from './videos.ts';

export const facebook: Platform = {
  name: 'facebook',
  label: 'Facebook',
  hosts: Object.values(hosts),
  isMetas: true,
  operations: [...oauthOperations, ...publishOperations, ...videoOperations, ...insightOperations, ...readOperations, ...publicOperations],
  notFound: (call) => (call.host === hosts.web ? webNotFound('Facebook') : unknownPath(call.path)),
  revokedToken: () => sessionEnded('revoked'),
  rejection: graphRejection,
  internalError: graphInternalError,
  appFields,
  createAccount: createPage,
  card: facebookCard,
  settable: {
    post: ['impressions', 'reach', 'clicks', 'likes', 'shares', 'views', 'watch_time_ms', 'completed'],
    account: ['followers'],
    day: ['impressions', 'reach', 'profile_views', 'website_clicks', 'engagements', 'video_views', 'follows', 'unfollows'],
  },
  demo: { username: 'fanfaredemocafe', name: 'Fanfare Demo Café' },
};
