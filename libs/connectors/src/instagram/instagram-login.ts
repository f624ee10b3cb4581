import { authorizeUrl } from '../calls/authorize-url.ts';
import type { OAuth, OAuthApp, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { scopesToRequest } from '../features.ts';
import { at, numberAt, objectIn, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { graphGetAs, graphSend } from '../graph/graph-call.ts';
import { graphFailure } from '../graph/graph-failure.ts';
import { INSTAGRAM_HOST_URL } from '../graph/limits.ts';
import type { PlatformResponse, PlatformHttp } from '../calls/http.ts';
import { rules } from './errors.ts';
import { instagramLoginFeatures as features, LONG_TOKEN_MS, RENEWABLE_AFTER_MS } from './limits.ts';

const DIALOG_URL = 'https://www.instagram.com/oauth/authorize';
const CODE_URL = 'https://api.instagram.com/oauth/access_token';

/**
 * Instagram Login (platform reference 2.1): the account itself signs in, without a Facebook page. Its single token lives for 60 days and renews
 * itself while it is valid: it is the refresh token too.
 */
export const instagramLogin: OAuth = {
  features,
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(DIALOG_URL, {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      response_type: 'code',
      scope: scopesToRequest(features, app).join(','),
    }),
  async exchangeCode(http, app, request) {
    const { token, granted } = await exchangeForShortToken(http, app, request);
    const query = { grant_type: 'ig_exchange_token', client_secret: app.clientSecret, access_token: token };
    const tokens = { ...(await longToken(http, '/access_token', query)), scopes: granted };
    const profile = await readProfile(http, app, tokens.accessToken);
    const username = requiredAt(profile, 'username');
    const pictureUrl = webUrl(stringAt(profile, 'profile_picture_url'));
    return [
      {
        // The same id as with Facebook Login; `id` is a different one, scoped to our app.
        accountId: requiredAt(profile, 'user_id'),
        username,
        displayName: stringAt(profile, 'name') ?? username,
        page: '',
        ...(pictureUrl !== undefined && { pictureUrl }),
        userId: requiredAt(profile, 'id'),
        tokens,
      },
    ];
  },
  async refresh(http, app, { tokens }) {
    const { accessToken, expiresInMs, scopes: granted } = tokens;
    if (expiresInMs !== undefined && expiresInMs > LONG_TOKEN_MS - RENEWABLE_AFTER_MS) {
      // Too young to be renewed and valid for long: only whether the person revoked it can be checked.
      await readProfile(http, app, accessToken);
      return { accessToken, refreshToken: accessToken, expiresInMs, refreshExpiresInMs: expiresInMs, scopes: granted };
    }
    const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
    return { ...(await longToken(http, '/refresh_access_token', query)), scopes: granted };
  },
};

const readProfile = (http: PlatformHttp, app: OAuthApp, token: string) =>
  graphGetAs(http, app, token, '/me', { fields: 'user_id,username,name,profile_picture_url' });

async function longToken(http: PlatformHttp, path: string, query: Record<string, string>): Promise<Omit<Tokens, 'scopes'>> {
  const response = await graphSend(http, { method: 'GET', baseUrl: INSTAGRAM_HOST_URL, path, query }, rules);
  const accessToken = requiredAt(response, 'access_token');
  const seconds = numberAt(response, 'expires_in');
  const expiresInMs = seconds === undefined ? LONG_TOKEN_MS : seconds * 1_000;
  return { accessToken, refreshToken: accessToken, expiresInMs, refreshExpiresInMs: expiresInMs };
}

/** Valid for an hour. The account id in the response is a number that exceeds JavaScript's precision. */
async function exchangeForShortToken(http: PlatformHttp, app: OAuthApp, { code, redirectUri }: { code: string; redirectUri: string }) {
  const { clientId: client_id, clientSecret: client_secret } = app;
  const form = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
  const response = await http.send({ method: 'POST', url: CODE_URL, body: { form } });
  if (response.status >= 300 || at(response.json, 'error_message') !== undefined || at(response.json, 'error') !== undefined)
    throw rejection(response);
  const body = objectIn(response);
  // As documented, and as actually returned.
  const granted = at(body, 'data', 0) ?? body;
  return { token: requiredAt(granted, 'access_token'), granted: permissionsOf(at(granted, 'permissions')) };
}

function permissionsOf(permissions: unknown): readonly string[] {
  const given = typeof permissions === 'string' ? permissions.split(',') : Array.isArray(permissions) ? (permissions as unknown[]) : [];
  return given.flatMap((scope) => (typeof scope === 'string' && scope.trim() !== '' ? [scope.trim()] : []));
}

/** Only this endpoint has its own error format: `{error_type, code, error_message}`. */
function rejection(response: PlatformResponse): PlatformFailure {
  const message = stringAt(response.json, 'error_message');
  if (message === undefined || response.status === 429 || response.status >= 500) return graphFailure(response, rules);
  return new PlatformFailure('validation', message, {
    effect: 'rejected',
    detail: { status: response.status, code: numberAt(response.json, 'code'), type: stringAt(response.json, 'error_type') },
  });
}
