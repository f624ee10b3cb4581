import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { tiktok } from './index.ts';

const granted = (scope = 'user.info.basic,user.info.profile,video.publish') => ({
  json: {
    open_id: 'open-1',
    scope,
    access_token: 'act.1',
    expires_in: 86_400,
    refresh_token: 'rft.2',
    refresh_expires_in: 31_536_000,
    token_type: 'Bearer',
  },
});
const ok = { code: 'ok', message: '', log_id: '1' };
const account = { accountId: 'open-1', tokens: { accessToken: 'act.old', refreshToken: 'rft.1', scopes: ['video.publish'] } };
const credentials = { client_key: 'client-1', client_secret: 'secret-of-the-app' };

let platform: ScriptedPlatform | undefined;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('tiktok');
afterEach(() => platform?.close());

test('the authorization URL has our id as client_key, and scopes separated by commas', () => {
  const url = tiktok.oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/cb', state: 's1' });
  expect(url.startsWith('https://www.tiktok.com/v2/auth/authorize/?')).toBe(true);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    client_key: 'client-1',
    scope: 'user.info.basic,user.info.profile,video.publish,video.upload,video.list,user.info.stats',
    response_type: 'code',
    redirect_uri: 'https://app.example.com/cb',
    state: 's1',
  });
});

test('a code is exchanged for tokens and their account', async () => {
  const user = { open_id: 'open-1', username: 'acme', display_name: 'Acme', avatar_url: 'https://p16.tiktokcdn.com/a.webp' };
  const http = await start([granted(), { json: { data: { user }, error: ok } }]);
  expect(await tiktok.oauth.exchangeCode(http, anApp, { code: 'code*1', redirectUri: 'https://app.example.com/cb' })).toEqual([
    {
      accountId: 'open-1',
      username: 'acme',
      displayName: 'Acme',
      page: '',
      pictureUrl: 'https://p16.tiktokcdn.com/a.webp',
      tokens: {
        accessToken: 'act.1',
        refreshToken: 'rft.2',
        expiresInMs: 86_400_000,
        refreshExpiresInMs: 31_536_000_000,
        scopes: ['user.info.basic', 'user.info.profile', 'video.publish'],
      },
    },
  ]);
  expect(platform?.received[0]).toMatchObject({ method: 'POST', url: 'https://open.tiktokapis.com/v2/oauth/token/' });
  expect(platform?.received[0]?.body).toEqual({
    ...credentials,
    grant_type: 'authorization_code',
    code: 'code*1',
    redirect_uri: 'https://app.example.com/cb',
  });
  expect(platform?.received[0]?.headers.authorization).toBeUndefined();
  expect(platform?.received[1]).toMatchObject({
    method: 'GET',
    url: 'https://open.tiktokapis.com/v2/user/info/',
    query: { fields: 'open_id,avatar_url,display_name,username' },
    headers: { authorization: 'Bearer act.1' },
  });
});

test('without the profile permission the account has its display name', async () => {
  const http = await start([
    granted('user.info.basic,video.publish'),
    { json: { data: { user: { open_id: 'o', display_name: 'Acme' } }, error: ok } },
  ]);
  expect(await tiktok.oauth.exchangeCode(http, anApp, { code: 'c', redirectUri: 'https://app.example.com/cb' })).toMatchObject([
    { username: 'Acme', tokens: { scopes: ['user.info.basic', 'video.publish'] } },
  ]);
  expect(platform?.received[1]?.query).toEqual({ fields: 'open_id,avatar_url,display_name' });
});

test('a refresh returns the next refresh token', async () => {
  const tokens = await tiktok.oauth.refresh(await start([granted('video.publish')]), anApp, account);
  expect(tokens).toEqual({
    accessToken: 'act.1',
    refreshToken: 'rft.2',
    expiresInMs: 86_400_000,
    refreshExpiresInMs: 31_536_000_000,
    scopes: ['video.publish'],
  });
  expect(platform?.received[0]?.body).toEqual({ ...credentials, grant_type: 'refresh_token', refresh_token: 'rft.1' });
});

test('an error in a success that quotes our secrets does not leak them', async () => {
  const http = await start([{ json: { error: 'invalid_grant', error_description: 'refresh-1 of secret-of-the-app' } }]);
  const tokens = { accessToken: 'act.old', refreshToken: 'refresh-1', scopes: [] };
  await expect(tiktok.oauth.refresh(http, anApp, { accountId: 'open-1', tokens })).rejects.toMatchObject({ message: '*** of ***' });
});

test.each([
  [
    'a refresh token that has ended',
    { status: 400, json: { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.', log_id: '1' } },
    'token_expired',
    'rejected',
  ],
  [
    'the same in a success',
    { status: 200, json: { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.', log_id: '1' } },
    'token_expired',
    'rejected',
  ],
  [
    'a wrong secret of ours',
    { status: 401, json: { error: 'invalid_client', error_description: 'Client secret is wrong', log_id: '1' } },
    'permission',
    'rejected',
  ],
  ['too many requests', { status: 429, json: { error: 'rate_limit_exceeded' } }, 'rate_limited', 'rejected'],
  ['an outage', { status: 503, text: '<html>' }, 'transient', 'unknown'],
  ['a success without a token', { json: { ok: true } }, 'transient', 'unknown'],
  ['a lost response', 'drop', 'transient', 'unknown'],
] satisfies [string, ScriptedResponse, string, string][])('%s is classified', async (_what, response, failureClass, effect) => {
  await expect(tiktok.oauth.refresh(await start([response]), anApp, account)).rejects.toMatchObject({
    name: 'PlatformFailure',
    class: failureClass,
    effect,
  });
});

describe('access is revoked', () => {
  const revoke = async (response: ScriptedResponse) => tiktok.oauth.revoke?.(await start([response]), anApp, account);

  test('with the access token', async () => {
    await revoke({ json: {} });
    expect(platform?.received).toMatchObject([{ method: 'POST', url: 'https://open.tiktokapis.com/v2/oauth/revoke/' }]);
    expect(platform?.received[0]?.body).toEqual({ ...credentials, token: 'act.old' });
  });

  test.each([
    ['an empty response', { status: 200, text: '' }],
    ['a token that is gone already', { status: 401, json: { error: 'access_token_invalid', error_description: 'Gone' } }],
  ] satisfies [string, ScriptedResponse][])('%s is fine', async (_what, response) => {
    await expect(revoke(response)).resolves.toBeUndefined();
  });

  test.each([200, 400])('a response with status %d that quotes the token does not leak it', async (status) => {
    const quoting = { status, json: { error: 'invalid_request', error_description: 'What is act.old?' } };
    await expect(revoke(quoting)).rejects.toMatchObject({ class: 'validation', message: 'What is ***?' });
  });

  test.each([
    ['a wrong secret of ours', { status: 401, json: { error: 'invalid_client', error_description: 'No' } }, 'permission'],
    ['an outage', { status: 502, text: '<html>' }, 'transient'],
    ['something else', { status: 200, text: '<html>' }, 'transient'],
  ] satisfies [string, ScriptedResponse, string][])('%s is a failure', async (_what, response, failureClass) => {
    await expect(revoke(response)).rejects.toMatchObject({ class: failureClass });
  });
});
