import { appFields } from '../graph/app-fields.ts';
import { graphRejection, graphInternalError, sessionEnded, unknownPath } from '../graph/errors.ts';
import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { accountInsightOperations } from './account-insights.ts';
import { createInstagramAccount } from './accounts.ts';
import { instagramCard } from './card.ts';
import { containerOperations } from './containers.ts';
import { hosts } from './limits.ts';
import { mediaInsightOperations } from './media-insights.ts';
import { oauthOperations } from './oauth.ts';
import { publicOperations } from './public-pages.ts';
import { publishOperations } from './publish.ts';
import { readOperations } from './read.ts';

export const instagram: Platform = {
  name: 'instagram',
  label: 'Instagram',
  hosts: Object.values(hosts),
  knowsItsOwn: true,
  isMetas: true,
  otherLogins: [{ login: 'instagram', app: 'instagram-login' }],
  operations: [
    ...[...oauthOperations, ...containerOperations, ...publishOperations],
    ...[...mediaInsightOperations, ...accountInsightOperations, ...readOperations, ...publicOperations],
  ],
  notFound: (call) => (call.host === hosts.web ? webNotFound('Instagram') : unknownPath(call.path)),
  revokedToken: () => sessionEnded('revoked'),
  rejection: graphRejection,
  internalError: graphInternalError,
  appFields,
  createAccount: createInstagramAccount,
  card: instagramCard,
  settable: {
    post: ['reach', 'clicks', 'saves', 'likes', 'comments', 'shares', 'views', 'watch_time_ms', 'completed'],
    account: ['followers'],
    day: ['impressions', 'reach', 'website_clicks', 'engagements', 'saves', 'follows', 'unfollows', 'likes', 'comments', 'shares'],
  },
  demo: { username: 'fanfare.demo.cafe', name: 'Fanfare Demo Café' },
};
