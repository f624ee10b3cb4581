import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { x } from './index.ts';

const basic = `Basic ${Buffer.from('client-1:secret-of-the-app').toString('base64')}`;
const granted = {
  json: { token_type: 'bearer', access_token: 'at', refresh_token: 'rt2', expires_in: 7200, scope: 'tweet.read tweet.write' },
};
const account = { accountId: '5', tokens: { accessToken: 'old', refreshToken: 'rt1', scopes: ['tweet.read'] } };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('x');
afterEach(() => platform?.close());

test('the authorization URL has the PKCE challenge, and spaces as %20', () => {
  const url = x.oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/cb', state: 's1', codeChallenge: 'ch' });
  expect(url).toContain('scope=tweet.read%20users.read%20offline.access%20tweet.write%20media.write');
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: 'https://app.example.com/cb',
    state: 's1',
    code_challenge: 'ch',
    code_challenge_method: 'S256',
  });
});

test('a code is exchanged for tokens and their account', async () => {
  const http = await start([
    granted,
    { json: { data: { id: '5', username: 'acme', name: 'Acme', profile_image_url: 'https://cdn.example.com/5.jpg' } } },
  ]);
  const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb?a=b', codeVerifier: 'ver' };
  expect(await x.oauth.exchangeCode(http, anApp, request)).toEqual([
    {
      accountId: '5',
      username: 'acme',
      displayName: 'Acme',
      page: '',
      pictureUrl: 'https://cdn.example.com/5.jpg',
      observed: {},
      tokens: { accessToken: 'at', refreshToken: 'rt2', expiresInMs: 7_200_000, scopes: ['tweet.read', 'tweet.write'] },
    },
  ]);
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://api.x.com/2/oauth2/token',
      headers: { authorization: basic },
      body: {
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: 'https://app.example.com/cb?a=b',
        code_verifier: 'ver',
        client_id: 'client-1',
      },
    },
    {
      method: 'GET',
      url: 'https://api.x.com/2/users/me',
      query: { 'user.fields': 'profile_image_url,subscription_type' },
      headers: { authorization: 'Bearer at' },
    },
  ]);
});

test('a refresh consumes its token and returns the next one', async () => {
  const tokens = await x.oauth.refresh(await start([granted]), anApp, account);
  expect(tokens).toEqual({ accessToken: 'at', refreshToken: 'rt2', expiresInMs: 7_200_000, scopes: ['tweet.read', 'tweet.write'] });
  expect(platform.received).toMatchObject([
    { headers: { authorization: basic }, body: { grant_type: 'refresh_token', refresh_token: 'rt1', client_id: 'client-1' } },
  ]);
});

test.each([
  ['Premium', { premium: true }],
  ['PremiumPlus', { premium: true }],
  ['Basic', {}],
  ['None', {}],
  [undefined, {}],
])('the subscription %s determines the observed options: %j', async (subscription_type, observed) => {
  const user = { json: { data: { id: '5', username: 'acme', name: 'Acme', subscription_type } } };
  expect(await x.oauth.observe?.(await start([user]), { accessToken: 'at' })).toEqual(observed);
  expect(platform.received).toMatchObject([
    {
      method: 'GET',
      url: 'https://api.x.com/2/users/me',
      query: { 'user.fields': 'subscription_type' },
      headers: { authorization: 'Bearer at' },
    },
  ]);
  const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb' };
  expect(await x.oauth.exchangeCode(await start([granted, user]), anApp, request)).toMatchObject([{ observed }]);
});

test('responses that deviate from the standard are understood', async () => {
  const http = await start([{ json: { access_token: 'at', expires_in: '60', scope: ['a', 'b'] } }]);
  expect(await x.oauth.refresh(http, anApp, account)).toEqual({ accessToken: 'at', expiresInMs: 60_000, scopes: ['a', 'b'] });
});

test.each([
  [
    'a used-up token',
    { status: 400, json: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' } },
    'token_expired',
    'rejected',
  ],
  ['a revoked grant', { status: 400, json: { error: 'invalid_grant' } }, 'token_expired', 'rejected'],
  [
    'a wrong secret of ours',
    { status: 401, json: { error: 'unauthorized_client', error_description: 'Missing valid authorization header' } },
    'permission',
    'rejected',
  ],
  ['too many requests', { status: 429, json: { title: 'Too Many Requests' } }, 'rate_limited', 'rejected'],
  ['an outage', { status: 503, text: '<html>' }, 'transient', 'unknown'],
  ['a success without a token', { json: { ok: true } }, 'transient', 'unknown'],
  ['a lost response', 'drop', 'transient', 'unknown'],
] satisfies [string, ScriptedResponse, string, string][])('%s is classified', async (_what, response, failureClass, effect) => {
  await expect(x.oauth.refresh(await start([response]), anApp, account)).rejects.toMatchObject({
    name: 'PlatformFailure',
    class: failureClass,
    effect,
  });
});

test('both tokens are revoked, also if one of them is already revoked', async () => {
  const gone = { status: 400, json: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' } };
  await x.oauth.revoke?.(await start([gone, { json: { revoked: true } }]), anApp, account);
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://api.x.com/2/oauth2/revoke',
      headers: { authorization: basic },
      body: { token: 'rt1', client_id: 'client-1' },
    },
    { method: 'POST', url: 'https://api.x.com/2/oauth2/revoke', body: { token: 'old', client_id: 'client-1' } },
  ]);
});

test('a token that could not be revoked is a failure', async () => {
  await expect(x.oauth.revoke?.(await start([{ status: 503, text: '<html>' }]), anApp, account)).rejects.toMatchObject({
    class: 'transient',
  });
});

test('an outage of the token endpoint is recognized by its status', async () => {
  const http = await start([{ status: 503, text: '<html>' }]);
  const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb', codeVerifier: 'ver' };
  await expect(x.oauth.exchangeCode(http, anApp, request)).rejects.toThrow('the response had status 503');
});
