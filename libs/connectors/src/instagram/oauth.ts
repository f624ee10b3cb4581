import type { OAuth, OAuthApp } from '../oauth.ts';
import { requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { graphGetAs, prove } from '../graph/graph-call.ts';
import {
  exchangeCode,
  extendUserToken,
  type GraphPage,
  listPages,
  loginUrl,
  pageUnavailable,
  readGrant,
  revokeGrant,
  revokes,
} from '../graph/graph-login.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { features } from './limits.ts';

/** Instagram through Facebook Login: a professional account is called with the token of the page that it is linked to. */
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
    const accounts = [];
    for (const page of await listPages(http, app, person.refreshToken)) {
      const accountId = await linkedAccount(http, app, page);
      if (accountId === undefined) continue;
      const profile = await graphGetAs(http, app, page.accessToken, `/${accountId}`, { fields: 'username,name,profile_picture_url' });
      const username = requiredAt(profile, 'username');
      const pictureUrl = webUrl(stringAt(profile, 'profile_picture_url'));
      accounts.push({
        accountId,
        username,
        displayName: stringAt(profile, 'name') ?? username,
        page: page.name,
        ...(pictureUrl !== undefined && { pictureUrl }),
        ...(userId !== undefined && { userId }),
        tokens: { accessToken: page.accessToken, ...person, scopes: granted },
      });
    }
    return accounts;
  },
  async refresh(http, app, { accountId, tokens }) {
    if (tokens.refreshToken === undefined) throw pageUnavailable();
    const person = await extendUserToken(http, app, tokens.refreshToken);
    for (const page of await listPages(http, app, person.refreshToken)) {
      if ((await linkedAccount(http, app, page)) === accountId) return { accessToken: page.accessToken, ...person, scopes: tokens.scopes };
    }
    throw pageUnavailable();
  },
};

async function linkedAccount(http: PlatformHttp, app: OAuthApp, page: GraphPage): Promise<string | undefined> {
  const response = await graphGetAs(http, app, page.accessToken, `/${page.id}`, { fields: 'instagram_business_account' });
  const id = stringAt(response, 'instagram_business_account', 'id');
  // A page without an account has only its id; a response with neither is not usable.
  if (id === undefined) requiredAt(response, 'id');
  return id;
}
