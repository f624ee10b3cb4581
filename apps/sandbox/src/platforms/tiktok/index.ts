import type { Platform } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { appFields } from './app-fields.ts';
import { createUser } from './accounts.ts';
import { tiktokCard } from './card.ts';
import { internalError, invalidToken, notFound, rejection } from './errors.ts';
import { hosts } from './limits.ts';
import { oauthOperations } from './oauth.ts';
import { postingOperations } from './posting.ts';
import { publicOperations } from './public-pages.ts';
import { readOperations } from './read.ts';
import { statusOperations } from './status.ts';
import { uploadOperations } from './upload.ts';

export const tiktok: Platform = {
  name: 'tiktok',
  label: 'TikTok',
  hosts: [hosts.api, hosts.upload, hosts.web],
  operations: [...oauthOperations, ...postingOperations, ...uploadOperations, ...statusOperations, ...readOperations, ...publicOperations],
  notFound: (call) => (call.host === hosts.web ? webNotFound('TikTok') : notFound()),
  revokedToken: invalidToken,
  rejection,
  internalError,
  appFields,
  createAccount: createUser,
  card: tiktokCard,
  settable: {
    post: ['views', 'likes', 'comments', 'shares'],
    account: ['followers'],
    day: [],
  },
  demo: { username: 'fanfare_demo', name: 'Fanfare Demo Café' },
};
