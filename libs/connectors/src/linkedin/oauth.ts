import { authorizeUrl } from '../calls/authorize-url.ts';
import type { GrantedAccount, OAuth, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { scopesToRequest } from '../features.ts';
import { at, checkObjectOrNothing, numberAt, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { requestTokens } from '../calls/token-endpoint.ts';
import { accountKind } from './account-kind.ts';
import { linkedinFailure } from './errors.ts';
import { AUTHORIZE_URL, features, memberFeatures, organizationFeatures, REVOKE_URL, TOKEN_URL, USERINFO_URL } from './limits.ts';
import { listOrganizations } from './organizations.ts';

/**
 * One login returns one token, for the member and for every page that the member may post for. Only approved apps get a refresh token; its lifetime
 * does not restart when it is used. For all other apps a person has to reconnect every sixty days.
 */
export const oauth: OAuth = {
  features,
  featuresOf: (accountId) => (accountKind(accountId) === 'organization' ? organizationFeatures : memberFeatures),
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(AUTHORIZE_URL, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      scope: scopesToRequest(features, app).join(' '),
    }),
  async exchangeCode(http, app, { code, redirectUri }) {
    const parameters = { code, redirect_uri: redirectUri };
    const tokens = withScopes(
      await requestTokens(http, app, { tokenUrl: TOKEN_URL, grantType: 'authorization_code', parameters, secretIn: 'body' }),
    );
    const member = await readMember(http, tokens);
    const mayPostForPages = organizationFeatures.publish?.every((scope) => tokens.scopes.includes(scope));
    return [member, ...(mayPostForPages ? await listOrganizations(http, tokens) : [])];
  },
  async refresh(http, app, { tokens }) {
    const { refreshToken } = tokens;
    if (refreshToken === undefined) {
      throw new PlatformFailure('token_expired', 'LinkedIn returned no refresh token. Reconnect the account.', { effect: 'not_sent' });
    }
    const parameters = { refresh_token: refreshToken };
    const fresh = withScopes(
      await requestTokens(http, app, { tokenUrl: TOKEN_URL, grantType: 'refresh_token', parameters, secretIn: 'body' }),
    );
    return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
  },
  /** Ends the access of the member and of all the pages of that login. */
  async revoke(http, app, { tokens }) {
    const form = { client_id: app.clientId, client_secret: app.clientSecret, token: tokens.accessToken };
    const response = await http.send({ method: 'POST', url: REVOKE_URL, body: { form } });
    // A token that LinkedIn no longer knows counts as revoked.
    const hasEnded =
      response.status < 500 && ['invalid_token', 'invalid_grant', 'invalid_request'].includes(String(at(response.json, 'error')));
    const isRejected = response.status >= 300 || (numberAt(response.json, 'status') ?? 0) >= 400;
    if (isRejected && !hasEnded) throw linkedinFailure(response);
    checkObjectOrNothing(response);
  },
};

/** A member's own account. Members have no public username. */
async function readMember(http: PlatformHttp, tokens: Tokens): Promise<GrantedAccount> {
  const response = await http.send({ method: 'GET', url: USERINFO_URL, headers: { authorization: `Bearer ${tokens.accessToken}` } });
  if (response.status >= 300) throw linkedinFailure(response);
  const id = requiredAt(response.json, 'sub');
  const name = stringAt(response.json, 'name') ?? id;
  const pictureUrl = webUrl(stringAt(response.json, 'picture'));
  return {
    accountId: `urn:li:person:${id}`,
    username: name,
    displayName: name,
    page: '',
    ...(pictureUrl !== undefined && { pictureUrl }),
    tokens,
  };
}

/** LinkedIn separates scopes by commas. */
function withScopes(tokens: Tokens): Tokens {
  return { ...tokens, scopes: tokens.scopes.flatMap((scope) => scope.split(',')).filter((scope) => scope !== '') };
}
