import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { linkedin } from './index.ts';

const credentials = { client_id: 'client-1', client_secret: 'secret-of-the-app' };
const granted = (scope: string, more: object = {}) => ({ json: { access_token: 'at', expires_in: 5_184_000, scope, ...more } });
const member = { json: { sub: 'abc', name: 'Ada Example', picture: 'https://media.licdn.com/ada.jpg' } };
const account = { accountId: 'urn:li:person:abc', tokens: { accessToken: 'old', refreshToken: 'rt1', scopes: ['w_member_social'] } };
const request = { code: 'code-1', redirectUri: 'https://app.example.com/cb' };

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('linkedin');
afterEach(() => platform?.close());

test('the authorization URL has scopes separated by spaces, and no PKCE', () => {
  const url = linkedin.oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/cb', state: 's1', codeChallenge: 'ch' });
  expect(url).toMatch(/^https:\/\/www\.linkedin\.com\/oauth\/v2\/authorization\?/);
  expect(url).toContain('scope=openid%20profile%20rw_organization_admin%20');
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: 'https://app.example.com/cb',
    state: 's1',
  });
  expect(url).not.toContain('ch');
});

test('an app that is approved for fewer scopes requests fewer', () => {
  const app = { ...anApp, scopes: ['openid', 'profile', 'w_member_social'] };
  const url = linkedin.oauth.authorizeUrl(app, { redirectUri: 'https://app.example.com/cb', state: 's1' });
  expect(new URL(url).searchParams.get('scope')).toBe('openid profile w_member_social');
});

test('a code is exchanged for the member and all pages for which the member can post', async () => {
  const role = (role: string, id: number) => ({ role, state: 'APPROVED', organization: `urn:li:organization:${id}` });
  const scope = 'openid,profile,w_member_social,rw_organization_admin,w_organization_social';
  const http = await start([
    granted(scope, { refresh_token: 'rt', refresh_token_expires_in: 31_536_000 }),
    member,
    {
      json: {
        elements: [role('ADMINISTRATOR', 55), role('CONTENT_ADMINISTRATOR', 55), role('ANALYST', 56), role('CONTENT_ADMIN', 57)],
        paging: { start: 0, count: 100 },
      },
    },
    { json: { id: 55, localizedName: 'Acme Corp', vanityName: 'acme' } },
    { json: { id: 57, localizedName: 'Other Corp' } },
  ]);
  const tokens = {
    accessToken: 'at',
    refreshToken: 'rt',
    expiresInMs: 5_184_000_000,
    refreshExpiresInMs: 31_536_000_000,
    scopes: scope.split(','),
  };
  expect(await linkedin.oauth.exchangeCode(http, anApp, request)).toEqual([
    {
      accountId: 'urn:li:person:abc',
      username: 'Ada Example',
      displayName: 'Ada Example',
      page: '',
      pictureUrl: 'https://media.licdn.com/ada.jpg',
      tokens,
    },
    { accountId: 'urn:li:organization:55', username: 'acme', displayName: 'Acme Corp', page: 'Acme Corp', tokens },
    { accountId: 'urn:li:organization:57', username: 'Other Corp', displayName: 'Other Corp', page: 'Other Corp', tokens },
  ]);
  expect(platform.received).toMatchObject([
    {
      method: 'POST',
      url: 'https://www.linkedin.com/oauth/v2/accessToken',
      body: { grant_type: 'authorization_code', code: 'code-1', redirect_uri: 'https://app.example.com/cb', ...credentials },
    },
    { method: 'GET', url: 'https://api.linkedin.com/v2/userinfo', headers: { authorization: 'Bearer at' } },
    {
      method: 'GET',
      url: 'https://api.linkedin.com/rest/organizationAcls',
      query: { q: 'roleAssignee', state: 'APPROVED', count: '100', start: '0' },
      headers: { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0', 'x-restli-method': 'FINDER' },
    },
    { method: 'GET', url: 'https://api.linkedin.com/rest/organizations/55' },
    { method: 'GET', url: 'https://api.linkedin.com/rest/organizations/57' },
  ]);
  expect(platform.received[0]?.headers).not.toHaveProperty('authorization');
});

test('a login without page permissions returns only the member', async () => {
  const http = await start([granted('openid,profile,w_member_social'), member]);
  const accounts = await linkedin.oauth.exchangeCode(http, anApp, request);
  expect(accounts.map(({ accountId, tokens }) => [accountId, tokens.refreshToken])).toEqual([['urn:li:person:abc', undefined]]);
});

test('required scopes differ between members and pages', () => {
  const { featuresOf } = linkedin.oauth;
  expect(featuresOf?.('urn:li:person:abc').publish).toEqual(['w_member_social']);
  expect(featuresOf?.('urn:li:organization:55').publish).toEqual(['w_organization_social']);
});

test('a refresh sends the secret in the form', async () => {
  const http = await start([granted('w_member_social,profile', { refresh_token: 'rt2' })]);
  expect(await linkedin.oauth.refresh(http, anApp, account)).toEqual({
    accessToken: 'at',
    refreshToken: 'rt2',
    expiresInMs: 5_184_000_000,
    scopes: ['w_member_social', 'profile'],
  });
  expect(platform.received).toMatchObject([
    {
      url: 'https://www.linkedin.com/oauth/v2/accessToken',
      body: { grant_type: 'refresh_token', refresh_token: 'rt1', ...credentials },
    },
  ]);
});

test('scopes that a refresh leaves out are kept', async () => {
  const fresh = await linkedin.oauth.refresh(await start([{ json: { access_token: 'at', expires_in: 60 } }]), anApp, account);
  expect(fresh).toEqual({ accessToken: 'at', expiresInMs: 60_000, scopes: ['w_member_social'] });
});

test('without refresh tokens a user must reconnect', async () => {
  const tokens = { accessToken: 'old', scopes: [] };
  await expect(linkedin.oauth.refresh(await start([]), anApp, { ...account, tokens })).rejects.toMatchObject({
    class: 'token_expired',
    effect: 'not_sent',
  });
  expect(platform.received).toEqual([]);
});

test.each([
  ['a grant that is gone', { status: 400, json: { error: 'invalid_grant', error_description: 'Gone' } }, 'token_expired'],
  ['a refresh token that is used up', { status: 400, json: { error: 'invalid_request', error_description: 'Expired' } }, 'token_expired'],
  ['a wrong secret of ours', { status: 401, json: { error: 'invalid_client', error_description: 'No' } }, 'permission'],
  ['an outage', { status: 503, text: '<html>' }, 'transient'],
  ['a lost response', 'drop', 'transient'],
] satisfies [string, ScriptedResponse, string][])('a refresh with %s is classified', async (_what, response, failureClass) => {
  await expect(linkedin.oauth.refresh(await start([response]), anApp, account)).rejects.toMatchObject({ class: failureClass });
});

test('access is revoked with the token', async () => {
  await linkedin.oauth.revoke?.(await start([{ status: 200 }]), anApp, account);
  expect(platform.received).toMatchObject([
    { method: 'POST', url: 'https://www.linkedin.com/oauth/v2/revoke', body: { ...credentials, token: 'old' } },
  ]);
});

test.each([
  ['a token that is gone already', { status: 400, json: { error: 'invalid_request' } }, undefined],
  ['an outage', { status: 503, json: { message: 'Busy' } }, 'transient'],
  ['a wrong secret of ours', { status: 401, json: { error: 'invalid_client' } }, 'transient'],
] satisfies [string, ScriptedResponse, string | undefined][])('taking back access, %s', async (_what, response, failureClass) => {
  const revoked = linkedin.oauth.revoke?.(await start([response]), anApp, account);
  if (failureClass === undefined) await revoked;
  else await expect(revoked).rejects.toMatchObject({ class: failureClass });
});

test('a token that LinkedIn quotes in a rejected revocation is not passed on', async () => {
  const tokens = { ...account.tokens, accessToken: 'a-secret-token' };
  const http = await start([{ status: 403, json: { status: 403, message: 'a-secret-token may not be revoked' } }]);
  await expect(linkedin.oauth.revoke?.(http, anApp, { ...account, tokens })).rejects.toThrow('*** may not be revoked');
});
