import { createHmac } from 'node:crypto';
import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { facebook } from './index.ts';

const graph = 'https://graph.facebook.com/v25.0';
const proof = createHmac('sha256', anApp.clientSecret).update('long-user-token').digest('hex');
const page = (id: string, more = {}) => ({
  id,
  name: `Page ${id}`,
  username: `page.${id}`,
  access_token: `page-token-${id}`,
  tasks: ['CREATE_CONTENT'],
  ...more,
});

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('facebook');
afterEach(() => platform?.close());

test('the authorization URL has scopes separated by commas, and no secret', () => {
  const url = new URL(facebook.oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/callback', state: 's1' }));
  expect(url.origin + url.pathname).toBe('https://www.facebook.com/v25.0/dialog/oauth');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: 'https://app.example.com/callback',
    state: 's1',
    response_type: 'code',
    scope: 'pages_show_list,pages_read_engagement,business_management,pages_manage_posts,pages_manage_engagement,read_insights',
  });
});

test('a code is exchanged for the tokens of all pages on which the user can publish', async () => {
  const http = await start([
    { json: { access_token: 'short-user-token', token_type: 'bearer', expires_in: 5_000 } },
    { json: { access_token: 'long-user-token', token_type: 'bearer', expires_in: 5_184_000 } },
    { json: { data: { is_valid: true, scopes: ['pages_show_list'], user_id: '1015' } } },
    { json: { data: [page('1'), page('2', { tasks: ['ANALYZE'] })], paging: { next: `${graph}/me/accounts?access_token=zzz&after=A2` } } },
    { json: { data: [page('3', { username: undefined, picture: { data: { url: 'https://cdn.example.com/3.jpg' } } })] } },
  ]);
  const accounts = await facebook.oauth.exchangeCode(http, anApp, { code: 'code-1', redirectUri: 'https://app.example.com/callback' });
  expect(accounts).toEqual([
    {
      accountId: '1',
      username: 'page.1',
      displayName: 'Page 1',
      page: 'Page 1',
      userId: '1015',
      tokens: {
        accessToken: 'page-token-1',
        refreshToken: 'long-user-token',
        refreshExpiresInMs: 5_184_000_000,
        scopes: ['pages_show_list'],
      },
    },
    expect.objectContaining({ accountId: '3', username: '3', pictureUrl: 'https://cdn.example.com/3.jpg' }),
  ]);
  const { clientId: client_id, clientSecret: client_secret } = anApp;
  const list = { fields: 'id,name,username,access_token,tasks,picture', limit: '100', appsecret_proof: proof };
  expect(platform.received.map(({ method, url, query }) => [method, url.replace(graph, ''), query])).toEqual([
    ['GET', '/oauth/access_token', { client_id, client_secret, redirect_uri: 'https://app.example.com/callback', code: 'code-1' }],
    ['GET', '/oauth/access_token', { grant_type: 'fb_exchange_token', client_id, client_secret, fb_exchange_token: 'short-user-token' }],
    ['GET', '/debug_token', { input_token: 'long-user-token', access_token: 'client-1|secret-of-the-app' }],
    ['GET', '/me/accounts', list],
    ['GET', '/me/accounts', { ...list, after: 'A2' }],
  ]);
});

const account = { accountId: '1', tokens: { accessToken: 'page-token-1', refreshToken: 'user-token', scopes: ['a'] } };

test("a refresh extends the user's token and reads the page's token again", async () => {
  const http = await start([
    { json: { access_token: 'newer-user-token' } },
    { json: { data: [page('1', { access_token: 'newer-page-token' })] } },
  ]);
  const tokens = await facebook.oauth.refresh(http, anApp, account);
  expect(tokens).toEqual({ accessToken: 'newer-page-token', refreshToken: 'newer-user-token', scopes: ['a'] });
});

test.each([
  ['the person lost the page', [{ json: { access_token: 'newer' } }, { json: { data: [page('2')] } }], 'token_expired'],
  ['the grant is gone', [{ status: 400, json: { error: { code: 190, error_subcode: 460 } } }], 'token_expired'],
  ['Facebook is down', [{ status: 503, text: 'down' }], 'transient'],
])('a refresh when %s', async (_when, responses, failureClass) => {
  await expect(facebook.oauth.refresh(await start(responses), anApp, account)).rejects.toMatchObject({ class: failureClass });
});

describe('revoking', () => {
  const revoke = async (responses: readonly ScriptedResponse[], userId?: string) =>
    facebook.oauth.revoke?.(await start(responses), anApp, { ...account, userId });
  const { clientId, clientSecret } = anApp;
  const deletion = ['DELETE', `${graph}/1015/permissions`, { access_token: `${clientId}|${clientSecret}` }];
  const calls = () => platform.received.map(({ method, url, query }) => [method, url, query]);

  test("removes the app from the person's account with the app's own token", async () => {
    await revoke([{ json: { success: true } }], '1015');
    expect(calls()).toEqual([deletion]);
  });

  test('first reads who the person is, if an older version did not store that', async () => {
    await revoke([{ json: { data: { is_valid: false, scopes: [], user_id: '1015' } } }, { text: 'true' }]);
    expect(calls().at(-1)).toEqual(deletion);
  });

  test.each([
    [458, 190],
    [33, 100],
  ])('a person who has removed the app (%s) is no failure', async (error_subcode, code) => {
    await revoke([{ status: 400, json: { error: { code, error_subcode, message: 'Gone' } } }], '1015');
  });

  test.each([
    [
      'our secret is wrong',
      { status: 400, json: { error: { code: 190, message: 'Invalid OAuth access token signature.' } } },
      'token_expired',
    ],
    ['Facebook is down', { status: 503, text: 'down' }, 'transient'],
    ['a proxy responds', { text: '<html>' }, 'transient'],
  ])('fails if %s', async (_why, response, failureClass) => {
    await expect(revoke([response], '1015')).rejects.toMatchObject({ class: failureClass });
  });
});
