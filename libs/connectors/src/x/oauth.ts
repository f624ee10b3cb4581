import { authorizeUrl } from '../calls/authorize-url.ts';
import type { Account, Options } from '../connector.ts';
import type { OAuth } from '../oauth.ts';
import { scopesToRequest } from '../features.ts';
import { checkObjectOrNothing, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { requestTokens } from '../calls/token-endpoint.ts';
import { xFailure } from './errors.ts';
import { API_URL, AUTHORIZE_URL, features } from './limits.ts';
import { xCall } from './x-call.ts';

const tokenUrl = `${API_URL}/oauth2/token`;
const revokeUrl = `${API_URL}/oauth2/revoke`;

/** OAuth 2.0 with PKCE as a confidential client. Each refresh token works once: the response contains the next. */
export const oauth: OAuth = {
  features,
  pkce: true,
  authorizeUrl: (app, { redirectUri, state, codeChallenge }) =>
    authorizeUrl(AUTHORIZE_URL, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopesToRequest(features, app).join(' '),
      state,
      ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    }),
  async exchangeCode(http, app, { code, redirectUri, codeVerifier }) {
    const parameters = { code, redirect_uri: redirectUri, ...(codeVerifier !== undefined && { code_verifier: codeVerifier }) };
    const tokens = await requestTokens(http, app, { tokenUrl, grantType: 'authorization_code', parameters });
    const user = await readUser(http, tokens, 'profile_image_url,subscription_type');
    const username = requiredAt(user, 'data', 'username');
    const pictureUrl = webUrl(stringAt(user, 'data', 'profile_image_url'));
    const displayName = stringAt(user, 'data', 'name') ?? username;
    return [
      {
        accountId: requiredAt(user, 'data', 'id'),
        username,
        displayName,
        page: '',
        ...(pictureUrl !== undefined && { pictureUrl }),
        observed: observedOf(user),
        tokens,
      },
    ];
  },
  async refresh(http, app, { tokens }) {
    const parameters = { refresh_token: tokens.refreshToken ?? '' };
    const fresh = await requestTokens(http, app, { tokenUrl, grantType: 'refresh_token', parameters });
    return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
  },
  /** X charges for a user that is read (platform reference 4.1). */
  observe: async (http, account) => observedOf(await readUser(http, account, 'subscription_type')),
  async revoke(http, app, { tokens }) {
    const headers = { authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}` };
    // Tokens are revoked individually: the refresh token, which creates others, first.
    for (const token of [tokens.refreshToken, tokens.accessToken]) {
      if (token === undefined) continue;
      const response = await http.send({ method: 'POST', url: revokeUrl, headers, body: { form: { token, client_id: app.clientId } } });
      // RFC 7009, 2.2: an invalid token is not an error; X responds with `invalid_request`.
      if (response.status >= 300 && stringAt(response.json, 'error') !== 'invalid_request') throw xFailure(response);
      checkObjectOrNothing(response);
      if (stringAt(response.json, 'detail') !== undefined) throw xFailure(response);
    }
  },
};

const readUser = (http: PlatformHttp, account: Pick<Account, 'accessToken'>, fields: string) =>
  xCall({ http, account }, { method: 'GET', path: '/users/me', query: { 'user.fields': fields } });

/** Subscriptions that allow long posts (platform reference 4.3). */
function observedOf(user: unknown): Options {
  return ['Premium', 'PremiumPlus'].includes(stringAt(user, 'data', 'subscription_type') ?? '') ? { premium: true } : {};
}
