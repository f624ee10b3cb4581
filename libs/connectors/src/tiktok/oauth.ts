import { authorizeUrl } from '../calls/authorize-url.ts';
import type { OAuth, OAuthApp, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { scopesToRequest } from '../features.ts';
import { checkObjectOrNothing, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { requestTokens } from '../calls/token-endpoint.ts';
import { tiktokFailure } from './errors.ts';
import { API_URL, AUTHORIZE_URL, features } from './limits.ts';
import { tiktokCall } from './tiktok-call.ts';

const tokenUrl = `${API_URL}/oauth/token/`;

/** TikTok's Login Kit for the web: our id is called `client_key`, scopes are separated by commas, and a refresh may return a new refresh token. */
export const oauth: OAuth = {
  features,
  // Optional for web apps, and then with a challenge of TikTok's own form: hexadecimal.
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(AUTHORIZE_URL, {
      client_key: app.clientId,
      scope: scopesToRequest(features, app).join(','),
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
    }),
  async exchangeCode(http, app, { code, redirectUri }) {
    const tokens = await tokensFor(http, app, 'authorization_code', { code, redirect_uri: redirectUri });
    return [{ ...(await readUser(http, tokens)), page: '', tokens }];
  },
  async refresh(http, app, { tokens }) {
    const fresh = await tokensFor(http, app, 'refresh_token', { refresh_token: tokens.refreshToken ?? '' });
    return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
  },
  async revoke(http, app, { tokens }) {
    const form = { client_key: app.clientId, client_secret: app.clientSecret, token: tokens.accessToken };
    const response = await http.send({ method: 'POST', url: `${API_URL}/oauth/revoke/`, body: { form } });
    const error = stringAt(response.json, 'error');
    if (error !== undefined) return rejectedRevocation(response.status, error, stringAt(response.json, 'error_description') ?? error);
    if (response.status >= 300 || stringAt(response.json, 'error', 'code')) throw tiktokFailure(response);
    checkObjectOrNothing(response);
  },
};

async function tokensFor(
  http: PlatformHttp,
  app: OAuthApp,
  grantType: 'authorization_code' | 'refresh_token',
  parameters: Record<string, string>,
): Promise<Tokens> {
  const tokens = await requestTokens(http, app, { tokenUrl, grantType, parameters, secretIn: 'body_with_client_key' });
  return { ...tokens, scopes: tokens.scopes.flatMap((scope) => scope.split(',')) };
}

/** People may deselect each scope. Without `user.info.profile` TikTok returns only the name, not the username. */
async function readUser(http: PlatformHttp, tokens: Tokens) {
  const fields = ['open_id', 'avatar_url', 'display_name', ...(tokens.scopes.includes('user.info.profile') ? ['username'] : [])];
  const { json } = await tiktokCall({ http, account: tokens }, { path: '/user/info/', query: { fields: fields.join(',') } });
  const displayName = requiredAt(json, 'data', 'user', 'display_name');
  const pictureUrl = webUrl(stringAt(json, 'data', 'user', 'avatar_url'));
  return {
    accountId: requiredAt(json, 'data', 'user', 'open_id'),
    username: stringAt(json, 'data', 'user', 'username') ?? displayName,
    displayName,
    ...(pictureUrl !== undefined && { pictureUrl }),
  };
}

/** Errors of TikTok's OAuth are flat. A token that is already invalid need not be revoked. */
function rejectedRevocation(status: number, error: string, description: string): void {
  if (['invalid_grant', 'invalid_token', 'access_token_invalid', 'access_token_expired'].includes(error)) return;
  const isOurs = error === 'invalid_client' || error === 'unauthorized_client';
  throw new PlatformFailure(status >= 500 ? 'transient' : isOurs ? 'permission' : 'validation', description, {
    effect: status >= 500 ? 'unknown' : 'rejected',
    detail: { status, error },
  });
}
