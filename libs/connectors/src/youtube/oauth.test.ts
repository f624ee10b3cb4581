import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { youtube } from './index.ts';

const upload = 'https://www.googleapis.com/auth/youtube.upload';
const granted = { json: { token_type: 'Bearer', access_token: 'at', refresh_token: 'rt', expires_in: 3599, scope: upload } };
const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb', codeVerifier: 'ver' };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('youtube');
afterEach(() => platform?.close());

test('scopes for uploads, comments and reading the channel are requested', () => {
  const url = new URL(youtube.oauth.authorizeUrl(anApp, { redirectUri: request.redirectUri, state: 's1', codeChallenge: 'ch' }));
  expect(url.origin).toBe('https://accounts.google.com');
  expect(url.searchParams.get('scope')?.split(' ')).toEqual([
    'https://www.googleapis.com/auth/youtube.readonly',
    upload,
    'https://www.googleapis.com/auth/youtube.force-ssl',
    'https://www.googleapis.com/auth/yt-analytics.readonly',
    'openid',
  ]);
});

test('a code is exchanged for the chosen channel', async () => {
  const snippet = { title: 'Acme Films', customUrl: '@acme', thumbnails: { default: { url: 'https://yt3.example.com/1.jpg' } } };
  const http = await start([granted, { json: { items: [{ id: 'UC1', snippet }] } }]);
  expect(await youtube.oauth.exchangeCode(http, anApp, request)).toEqual([
    {
      accountId: 'UC1',
      username: 'acme',
      displayName: 'Acme Films',
      page: '',
      pictureUrl: 'https://yt3.example.com/1.jpg',
      tokens: { accessToken: 'at', refreshToken: 'rt', expiresInMs: 3_599_000, scopes: [upload] },
    },
  ]);
  expect(platform.received[1]).toMatchObject({
    url: 'https://www.googleapis.com/youtube/v3/channels',
    query: { part: 'snippet', mine: 'true' },
    headers: { authorization: 'Bearer at' },
  });
});

test('a Google account without a channel returns no account', async () => {
  expect(await youtube.oauth.exchangeCode(await start([granted, { json: { kind: 'list' } }]), anApp, request)).toEqual([]);
});

test('tokens are refreshed and revoked at Google', async () => {
  const account = { accountId: 'UC1', tokens: { accessToken: 'old', refreshToken: 'rt', scopes: [upload] } };
  const http = await start([granted, { json: {} }]);
  expect(await youtube.oauth.refresh(http, anApp, account)).toMatchObject({ accessToken: 'at', scopes: [upload] });
  await youtube.oauth.revoke?.(http, anApp, account);
  expect(platform.calls()).toEqual(['POST https://oauth2.googleapis.com/token', 'POST https://oauth2.googleapis.com/revoke']);
});
