import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { exchangeGoogleCode, loginUrl, refreshGoogleTokens, revokeGoogleTokens } from './google-login.ts';

const granted = { json: { token_type: 'Bearer', access_token: 'at', expires_in: 3599, scope: 'a b' } };
const tokens = { accessToken: 'old-access', refreshToken: 'old-refresh', scopes: ['a'] };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('youtube');
afterEach(() => platform?.close());

test('the consent page is requested so that each login returns a refresh token', () => {
  const url = loginUrl({ connect: ['a'], publish: ['b'] })(anApp, {
    redirectUri: 'https://app.example.com/cb',
    state: 's1',
    codeChallenge: 'ch',
  });
  expect(url).toContain('https://accounts.google.com/o/oauth2/v2/auth?');
  expect(url).toContain('scope=a%20b%20openid');
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: 'https://app.example.com/cb',
    scope: 'a b openid',
    state: 's1',
    access_type: 'offline',
    prompt: 'consent',
    include_granted_scopes: 'true',
    code_challenge: 'ch',
    code_challenge_method: 'S256',
  });
});

const idToken = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

test('a code is exchanged for tokens and their owner, with the client secret in the body', async () => {
  const http = await start([
    { json: { ...granted.json, refresh_token: 'rt', id_token: idToken({ iss: 'https://accounts.google.com', sub: '117' }) } },
  ]);
  const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb', codeVerifier: 'ver' };
  expect(await exchangeGoogleCode(http, anApp, request)).toEqual({
    tokens: { accessToken: 'at', refreshToken: 'rt', expiresInMs: 3_599_000, scopes: ['a', 'b'] },
    person: { userId: '117' },
  });
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      query: {},
      body: {
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: 'https://app.example.com/cb',
        code_verifier: 'ver',
        client_id: 'client-1',
        client_secret: 'secret-of-the-app',
      },
    },
  ]);
  expect(platform.received[0]?.headers).not.toHaveProperty('authorization');
});

test.each(['no JWT', 'a.b.c', idToken({ sub: 7 })])('with an ID token that cannot be read (%s) the owner is unknown', async (id_token) => {
  const http = await start([{ json: { ...granted.json, id_token } }]);
  expect((await exchangeGoogleCode(http, anApp, { code: 'c', redirectUri: 'r' })).person).toEqual({});
});

test('a refresh without a new refresh token keeps the old one', async () => {
  expect(await refreshGoogleTokens(await start([granted]), anApp, tokens)).toEqual({
    accessToken: 'at',
    expiresInMs: 3_599_000,
    scopes: ['a', 'b'],
  });
  expect(platform.received).toMatchObject([{ body: { grant_type: 'refresh_token', refresh_token: 'old-refresh' } }]);
});

test('without a refresh token a user must reconnect', async () => {
  const { refreshToken: _, ...accessOnly } = tokens;
  await expect(refreshGoogleTokens(await start([]), anApp, accessOnly)).rejects.toMatchObject({
    class: 'token_expired',
    effect: 'not_sent',
  });
});

test.each([
  [
    'invalid_grant',
    { status: 400, json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } },
    'token_expired',
  ],
  ['a wrong secret of ours', { status: 401, json: { error: 'invalid_client', error_description: 'Unauthorized' } }, 'permission'],
  ['an outage', { status: 503, text: '<html>' }, 'transient'],
] satisfies [string, ScriptedResponse, string][])('a refresh that is rejected with %s', async (_what, response, failureClass) => {
  await expect(refreshGoogleTokens(await start([response]), anApp, tokens)).rejects.toMatchObject({ class: failureClass });
});

test('access is revoked with the refresh token, which is sent in the body', async () => {
  await revokeGoogleTokens(await start([{ json: {} }]), tokens);
  expect(platform.received).toMatchObject([
    { method: 'POST', url: 'https://oauth2.googleapis.com/revoke', query: {}, body: { token: 'old-refresh' } },
  ]);
});

test('access that is already revoked is not a failure; any other error is', async () => {
  const gone = { status: 400, json: { error: 'invalid_token', error_description: 'Token expired or revoked' } };
  await revokeGoogleTokens(await start([gone]), tokens);
  await platform.close();
  await expect(revokeGoogleTokens(await start([{ status: 503, text: 'busy' }]), tokens)).rejects.toMatchObject({ class: 'transient' });
});
