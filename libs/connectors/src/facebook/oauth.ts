import type { OAuth } from '../oauth.ts';
import { prove } from '../graph/graph-call.ts';
import {
  exchangeCode,
  extendUserToken,
  listPages,
  loginUrl,
  pageUnavailable,
  readGrant,
  revokeGrant,
  revokes,
} from '../graph/graph-login.ts';
import { features } from './limits.ts';

/** Facebook Login. Calls use the page's token; the person's long-lived token takes the place of a refresh token. */
export const oauth: OAuth = {
  features,
  pkce: false,
  prove,
  revokes,
  revoke: revokeGrant,
  authorizeUrl: loginUrl(features),
  async exchangeCode(http, app, request) {
    const person = await exchangeCode(http, app, request);
    const { scopes: granted, userId } = await readGrant(http, app, person.refreshToken);
    const pages = await listPages(http, app, person.refreshToken);
    return pages.map(({ id, name, username, accessToken, pictureUrl }) => ({
      accountId: id,
      username,
      displayName: name,
      page: name,
      ...(pictureUrl !== undefined && { pictureUrl }),
      ...(userId !== undefined && { userId }),
      tokens: { accessToken, ...person, scopes: granted },
    }));
  },
  async refresh(http, app, { accountId, tokens }) {
    if (tokens.refreshToken === undefined) throw pageUnavailable();
    const person = await extendUserToken(http, app, tokens.refreshToken);
    const page = (await listPages(http, app, person.refreshToken)).find(({ id }) => id === accountId);
    if (!page) throw pageUnavailable();
    return { accessToken: page.accessToken, ...person, scopes: tokens.scopes };
  },
};
