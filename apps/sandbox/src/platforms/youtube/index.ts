import { internalError, notFound, rejection, unauthenticated } from '../google/errors.ts';
import { hosts as googleHosts } from '../google/limits.ts';
import { oauthOperations } from '../google/oauth.ts';
import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { channelsOf, createChannel } from './accounts.ts';
import { analyticsOperations } from './analytics.ts';
import { youtubeCard } from './card.ts';
import { commentOperations } from './comments.ts';
import { deleteOperations } from './delete-video.ts';
import { apiHosts, hosts, scopes } from './limits.ts';
import { publicOperations } from './public-pages.ts';
import { readOperations } from './read.ts';
import { uploadOperations } from './upload.ts';

const webHosts = [hosts.web, hosts.short];

export const youtube: Platform = {
  name: 'youtube',
  label: 'YouTube',
  hosts: [...apiHosts, hosts.analytics, ...webHosts, googleHosts.accounts, googleHosts.oauth],
  operations: [
    ...oauthOperations({ platform: 'youtube', title: 'YouTube', scopes, accountsOf: channelsOf }),
    ...uploadOperations,
    ...readOperations,
    ...analyticsOperations,
    ...commentOperations,
    ...deleteOperations,
    ...publicOperations,
  ],
  notFound: (call) => (webHosts.includes(call.host) ? webNotFound('YouTube') : notFound()),
  revokedToken: unauthenticated,
  rejection,
  internalError,
  createAccount: createChannel,
  card: youtubeCard,
  settable: {
    post: ['views', 'watch_time_ms', 'likes', 'comments', 'shares'],
    account: ['followers'],
    day: ['video_views', 'follows', 'unfollows', 'likes', 'comments', 'shares'],
  },
  demo: { username: 'fanfare_demo', name: 'Fanfare Demo Café' },
};
