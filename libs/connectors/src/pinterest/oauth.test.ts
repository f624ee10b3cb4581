import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { pinterest } from './index.ts';

const basic = `Basic ${Buffer.from('client-1:secret-of-the-app').toString('base64')}`;
const granted = {
  json: {
    access_token: 'at',
    refresh_token: 'rt2',
    response_type: 'authorization_code',
    token_type: 'bearer',
    expires_in: 2_592_000,
    refresh_token_expires_in: 5_184_000,
    scope: 'boards:read,pins:write user_accounts:read',
  },
};
const tokens = {
  accessToken: 'at',
  refreshToken: 'rt2',
  expiresInMs: 2_592_000_000,
  refreshExpiresInMs: 5_184_000_000,
  scopes: ['boards:read', 'pins:write', 'user_accounts:read'],
};
const account = { accountId: '5', tokens: { accessToken: 'old', refreshToken: 'rt1', scopes: ['pins:read'] } };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('pinterest');
afterEach(() => platform?.close());

test('the authorization URL has all scopes, separated by commas', () => {
  const url = new URL(pinterest.oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/cb', state: 's1' }));
  expect(url.origin + url.pathname).toBe('https://www.pinterest.com/oauth/');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: 'https://app.example.com/cb',
    response_type: 'code',
    scope: 'user_accounts:read,boards:read,boards:write,pins:read,pins:write',
    state: 's1',
  });
});

test('a code is exchanged for tokens that can be refreshed without end, and their account', async () => {
  const user = {
    id: '5',
    username: 'acme',
    business_name: 'Acme Ltd',
    profile_image: 'https://i.pinimg.com/5.jpg',
    account_type: 'BUSINESS',
  };
  const http = await start([granted, { json: user }]);
  const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb?a=b' };
  expect(await pinterest.oauth.exchangeCode(http, anApp, request)).toEqual([
    { accountId: '5', username: 'acme', displayName: 'Acme Ltd', page: '', pictureUrl: 'https://i.pinimg.com/5.jpg', tokens },
  ]);
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://api.pinterest.com/v5/oauth/token',
      headers: { authorization: basic, 'content-type': expect.stringContaining('application/x-www-form-urlencoded') },
      body: {
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: 'https://app.example.com/cb?a=b',
        continuous_refresh: 'true',
      },
    },
    { method: 'GET', url: 'https://api.pinterest.com/v5/user_account', headers: { authorization: 'Bearer at' } },
  ]);
});

test('a refresh returns the next refresh token', async () => {
  expect(await pinterest.oauth.refresh(await start([granted]), anApp, account)).toEqual(tokens);
  expect(platform.received).toMatchObject([
    { headers: { authorization: basic }, body: { grant_type: 'refresh_token', refresh_token: 'rt1' } },
  ]);
});

test.each([
  ['a revoked grant', { status: 400, json: { error: 'invalid_grant' } }, 'token_expired', 'rejected'],
  ['a refresh token that has ended', { status: 401, json: { code: 2, message: 'Refresh token expired.' } }, 'token_expired', 'rejected'],
  ["a rejection in Pinterest's own format", { status: 400, json: { code: 283, message: 'Invalid token.' } }, 'token_expired', 'rejected'],
  ['a wrong secret of ours', { status: 401, json: { code: 2, message: 'Authentication failed.' } }, 'permission', 'rejected'],
  ['too many requests', { status: 429, json: { code: 8, message: 'Slow down.' } }, 'rate_limited', 'rejected'],
  ['an outage', { status: 503, text: '<html>' }, 'transient', 'unknown'],
  ['a success without a token', { json: { code: 0, message: 'ok' } }, 'transient', 'unknown'],
  ['a lost response', 'drop', 'transient', 'unknown'],
] satisfies [string, ScriptedResponse, string, string][])('%s is classified', async (_what, response, failureClass, effect) => {
  await expect(pinterest.oauth.refresh(await start([response]), anApp, account)).rejects.toMatchObject({ class: failureClass, effect });
});
