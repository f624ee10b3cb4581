import { anAppOf } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { oauthOf } from '../registry.ts';
import { LONG_TOKEN_MS } from './limits.ts';

const oauth = oauthOf('instagram', 'instagram');
const app = anAppOf('instagram');
const DAY_MS = 24 * 3600_000;
const request = { code: 'c', redirectUri: 'https://app.example.com/cb' };
const me = {
  json: { id: '26001', user_id: '17841400000000017', username: 'acme', name: 'Acme', profile_picture_url: 'https://cdn.example.com/1.jpg' },
};
const long = { json: { access_token: 'long', token_type: 'bearer', expires_in: 5_183_944 } };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('instagram');
afterEach(() => platform.close());

test("the authorization page is Instagram's, with its own scopes", async () => {
  await start([]);
  const url = new URL(oauth.authorizeUrl(app, { redirectUri: request.redirectUri, state: 's1' }));
  expect(url.origin + url.pathname).toBe('https://www.instagram.com/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: request.redirectUri,
    state: 's1',
    response_type: 'code',
    scope:
      'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments,instagram_business_manage_insights',
  });
});

const account = {
  accountId: '17841400000000017',
  username: 'acme',
  displayName: 'Acme',
  page: '',
  pictureUrl: 'https://cdn.example.com/1.jpg',
  userId: '26001',
  tokens: {
    accessToken: 'long',
    refreshToken: 'long',
    expiresInMs: 5_183_944_000,
    refreshExpiresInMs: 5_183_944_000,
    scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
  },
};

test.each([
  [
    'as it is described',
    { data: [{ access_token: 'short', user_id: '1', permissions: 'instagram_business_basic,instagram_business_content_publish' }] },
  ],
  [
    'as it comes',
    { access_token: 'short', user_id: 17841400000000016, permissions: ['instagram_business_basic', 'instagram_business_content_publish'] },
  ],
])('a code is exchanged for the account that signed in, with a long-lived token; its response %s', async (_what, response) => {
  const http = await start([{ json: response }, long, me]);
  expect(await oauth.exchangeCode(http, app, request)).toEqual([account]);
  expect(platform.received.map(({ method, url, query, body, headers }) => [method, url, query, body, headers.authorization])).toEqual([
    [
      'POST',
      'https://api.instagram.com/oauth/access_token',
      {},
      {
        client_id: 'client-1',
        client_secret: 'secret-of-the-app',
        grant_type: 'authorization_code',
        redirect_uri: request.redirectUri,
        code: 'c',
      },
      undefined,
    ],
    [
      'GET',
      'https://graph.instagram.com/access_token',
      { grant_type: 'ig_exchange_token', client_secret: 'secret-of-the-app', access_token: 'short' },
      undefined,
      undefined,
    ],
    ['GET', 'https://graph.instagram.com/v25.0/me', { fields: 'user_id,username,name,profile_picture_url' }, undefined, 'Bearer long'],
  ]);
});

test.each([
  [400, { error_type: 'OAuthException', code: 400, error_message: 'This authorization code has been used' }, 'validation', 'rejected'],
  [503, { error_message: 'Please wait.' }, 'transient', 'unknown'],
  [400, { error: { code: 4, message: 'Application request limit reached' } }, 'rate_limited', 'rejected'],
])('a rejected code (%d %j) says why', async (status, json, failureClass, effect) => {
  await expect(oauth.exchangeCode(await start([{ status, json }]), app, request)).rejects.toMatchObject({ class: failureClass, effect });
});

const aged = (days: number) => ({
  accountId: '17841400000000017',
  tokens: { accessToken: 'old', refreshToken: 'old', expiresInMs: LONG_TOKEN_MS - days * DAY_MS, scopes: ['s'] },
});
const gone = { status: 400, json: { error: { code: 190, error_subcode: 463, message: 'Session has expired' } } };

test.each([2, 59, 70])('a token that is %d days old is refreshed', async (days) => {
  const http = await start([long]);
  expect(await oauth.refresh(http, app, aged(days))).toEqual({ ...account.tokens, scopes: ['s'] });
  expect(platform.received.map(({ url, query }) => [url, query])).toEqual([
    ['https://graph.instagram.com/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: 'old' }],
  ]);
});

test('a token that is younger than a day is kept if it works', async () => {
  const http = await start([me]);
  const left = aged(0.5).tokens.expiresInMs;
  expect(await oauth.refresh(http, app, aged(0.5))).toEqual({
    ...{ accessToken: 'old', refreshToken: 'old', scopes: ['s'] },
    ...{ expiresInMs: left, refreshExpiresInMs: left },
  });
  expect(platform.calls()).toEqual(['GET https://graph.instagram.com/v25.0/me']);
});

test.each([0.5, 2, 61])('a revoked token that is %d days old requires the user to reconnect', async (days) => {
  await expect(oauth.refresh(await start([gone]), app, aged(days))).rejects.toMatchObject({ class: 'token_expired', effect: 'rejected' });
});
