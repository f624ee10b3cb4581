import { authorizeUrl } from '../calls/authorize-url.ts';
import type { OAuth, OAuthApp, Tokens } from '../oauth.ts';
import { scopesToRequest } from '../features.ts';
import { requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import type { PlatformResponse, PlatformHttp } from '../calls/http.ts';
import { requestTokens } from '../calls/token-endpoint.ts';
import { API_URL, AUTHORIZE_URL, features } from './limits.ts';
import { pinterestCall } from './pinterest-call.ts';

/**
 * OAuth 2.0 without PKCE. Refresh tokens are continuous: each refresh returns a new one, valid for sixty days, so a connection lives as long as it is
 * refreshed.
 */
export const oauth: OAuth = {
  features,
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(AUTHORIZE_URL, {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopesToRequest(features, app).join(','),
      state,
    }),
  async exchangeCode(http, app, { code, redirectUri }) {
    // Apps made before September 2025 get the old kind of refresh token unless they request the new kind.
    const parameters = { code, redirect_uri: redirectUri, continuous_refresh: 'true' };
    const tokens = await request(http, app, 'authorization_code', parameters);
    const user = await pinterestCall({ http, account: tokens }, { method: 'GET', path: '/user_account' });
    const username = requiredAt(user, 'username');
    const pictureUrl = webUrl(stringAt(user, 'profile_image'));
    return [
      {
        accountId: requiredAt(user, 'id'),
        username,
        displayName: stringAt(user, 'business_name') ?? username,
        page: '',
        ...(pictureUrl !== undefined && { pictureUrl }),
        tokens,
      },
    ];
  },
  async refresh(http, app, { tokens }) {
    const fresh = await request(http, app, 'refresh_token', { refresh_token: tokens.refreshToken ?? '' });
    return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
  },
};

async function request(
  http: PlatformHttp,
  app: OAuthApp,
  grantType: 'authorization_code' | 'refresh_token',
  parameters: Record<string, string>,
): Promise<Tokens> {
  const tokens = await requestTokens(http, app, { tokenUrl: `${API_URL}/oauth/token`, grantType, parameters, oauthError });
  return { ...tokens, scopes: tokens.scopes.flatMap((scope) => scope.split(',')).filter(Boolean) };
}

/** The token endpoint may respond with Pinterest's own `{code, message}`: 400 is about the grant, 401 about our app. */
function oauthError({ status, json }: PlatformResponse): { error: string; error_description?: string } | undefined {
  const message = stringAt(json, 'message');
  if (stringAt(json, 'error') !== undefined || message === undefined) return undefined;
  const isAboutGrant = status === 400 || /invalid_grant|refresh.token|authorization.code/i.test(message);
  if (!isAboutGrant && status !== 401 && status !== 403) return undefined;
  return { error: isAboutGrant ? 'invalid_grant' : 'invalid_client', error_description: message };
}
