import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { googleBusiness } from './index.ts';

const { oauth } = googleBusiness;
const scope = 'https://www.googleapis.com/auth/business.manage';
const granted = { json: { access_token: 'at', refresh_token: 'rt', expires_in: 3599, scope, token_type: 'Bearer' } };
const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb', codeVerifier: 'ver' };
const location = (id: string, more: object = {}) => ({
  name: `locations/${id}`,
  title: `Café ${id}`,
  metadata: { canOperateLocalPost: true },
  ...more,
});
const accounts = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts';
const locationsOf = (id: string) => `https://mybusinessbusinessinformation.googleapis.com/v1/accounts/${id}/locations`;

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) =>
  (platform = await scriptedPlatform(responses)).client.http('google_business');
const exchange = async (...responses: ScriptedResponse[]) => oauth.exchangeCode(await start([granted, ...responses]), anApp, request);
afterEach(() => platform?.close());

test('the consent page is requested for offline access to the business', () => {
  const url = oauth.authorizeUrl(anApp, { redirectUri: request.redirectUri, state: 's1', codeChallenge: 'ch' });
  expect(url).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    scope: `${scope} openid`,
    access_type: 'offline',
    prompt: 'consent',
    state: 's1',
  });
});

test('each location that accepts posts becomes an account, across all Google accounts and pages', async () => {
  const found = await exchange(
    { json: { accounts: [{ name: 'accounts/1' }], nextPageToken: 'a2' } },
    { json: { accounts: [{ name: 'accounts/5' }] } },
    { json: { locations: [location('11', { storeCode: 'BER-1' })], nextPageToken: 'l2' } },
    { json: { locations: [location('12'), location('13', { metadata: {} })] } },
    { json: { locations: [location('12'), location('51')] } },
  );
  const tokens = { accessToken: 'at', refreshToken: 'rt', expiresInMs: 3_599_000, scopes: [scope] };
  expect(found).toEqual([
    { accountId: 'accounts/1/locations/11', username: 'BER-1', displayName: 'Café 11', page: 'Café 11', tokens },
    { accountId: 'accounts/1/locations/12', username: 'Café 12', displayName: 'Café 12', page: 'Café 12', tokens },
    { accountId: 'accounts/5/locations/51', username: 'Café 51', displayName: 'Café 51', page: 'Café 51', tokens },
  ]);
  const page = { readMask: 'name,title,storeCode,websiteUri,metadata', pageSize: '100' };
  expect(platform.received.slice(1).map(({ url, query, headers }) => [url, query, headers.authorization])).toEqual([
    [accounts, { pageSize: '20' }, 'Bearer at'],
    [accounts, { pageSize: '20', pageToken: 'a2' }, 'Bearer at'],
    [locationsOf('1'), page, 'Bearer at'],
    [locationsOf('1'), { ...page, pageToken: 'l2' }, 'Bearer at'],
    [locationsOf('5'), page, 'Bearer at'],
  ]);
});

test('a login without a usable location says why', async () => {
  const closed = { json: { locations: [location('13', { title: 'The Pier', metadata: { canOperateLocalPost: false } })] } };
  await expect(exchange({ json: { accounts: [{ name: 'accounts/1' }] } }, closed)).rejects.toMatchObject({
    class: 'permission',
    message: expect.stringContaining('The Pier'),
  });
});

test('distinguishes a project that Google has not approved from an exhausted quota', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { quota_limit_value: '0' } }];
  const rejected = { status: 429, json: { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details } } };
  await expect(exchange(rejected)).rejects.toMatchObject({ class: 'permission', detail: { operator: 'api_not_approved' } });
});

test('a refresh keeps the scopes, and a revoked grant is permanent', async () => {
  const account = { accountId: 'accounts/1/locations/11', tokens: { accessToken: 'old', refreshToken: 'rt', scopes: [scope] } };
  const http = await start([{ json: { access_token: 'at2', expires_in: 3599 } }, { status: 400, json: { error: 'invalid_grant' } }]);
  expect(await oauth.refresh(http, anApp, account)).toEqual({ accessToken: 'at2', expiresInMs: 3_599_000, scopes: [scope] });
  await expect(oauth.refresh(http, anApp, account)).rejects.toMatchObject({ class: 'token_expired', effect: 'rejected' });
});
