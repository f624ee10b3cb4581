// A person connects an account through the API and the platform's own pages, publishes to it, and disconnects it.
import { eventually } from '@fanfare/testing';
import type { Api, PostBody } from '../src/api.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';

interface Integration {
  readonly id: string;
  readonly platform: string;
  readonly account_id: string;
  readonly status: string;
  readonly settings: Record<string, unknown>;
  readonly reconnect_url: string | null;
}
interface Connection {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly accounts: readonly { readonly account_id: string; readonly integration_id: string | null }[];
  readonly integrations: readonly Integration[];
}

let platform: Platform;
/** An organization without connected accounts. */
let api: Api;
let own: string;

beforeAll(async () => {
  platform = await borrowPlatform();
  ({ api } = platform.foreign);
  own = `/api/businesses/${platform.foreign.business_id}`;
});
afterAll(() => platform.stop());

const begin = (body: object) => api<{ id: string; authorize_url: string }>('POST', `${own}/integrations/connect`, body);
/** Clicks the button on the platform's page. @returns the redirect of the browser */
const decide = async (authorizeUrl: string, response: 'allow' | 'deny', accountId?: string) => {
  const account = accountId === undefined ? {} : { 'X-Sandbox-Account': accountId };
  const page = await fetch(authorizeUrl, { headers: { 'X-Sandbox-Consent': response, ...account }, redirect: 'manual' });
  return page.headers.get('location') ?? '';
};
const asBrowser = (url: string) => fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
const readConnection = async (id: string) => (await api<Connection>('GET', `${own}/integrations/connect/${id}`)).body;
const readIntegration = async (id: string) => (await api<Integration>('GET', `${own}/integrations/${id}`)).body;

async function send(caption: string): Promise<PostBody> {
  const { body: post } = await api<PostBody>('POST', `${own}/posts`, { caption });
  // Content learns of accounts from events.
  await eventually(async () => (await api('POST', `${own}/posts/${post.id}/publish`)).status === 202);
  return eventually(async () => {
    const { body } = await api<PostBody>('GET', `${own}/posts/${post.id}`);
    return body.publish_results.every(({ status }) => status === 'success' || status === 'failed') && body;
  });
}

test('connect, choose among several accounts, publish, disconnect, and connect again', async () => {
  const second = await platform.sandbox.createAccount('facebook', 'harbourbakery');
  const begun = await begin({ platform: 'facebook', redirect_uri: `${platform.baseUrl}/accounts?tab=1` });
  expect(begun.status).toBe(201);
  expect(begun.headers.get('location')).toBe(`${platform.baseUrl}${own}/integrations/connect/${begun.body.id}`);
  expect(await readConnection(begun.body.id)).toMatchObject({ status: 'pending' });

  const callback = await decide(begun.body.authorize_url, 'allow');
  expect(callback).toContain(`${platform.baseUrl}/api/integrations/callback?`);
  const arrived = await asBrowser(callback);
  expect([arrived.status, arrived.headers.get('location')]).toEqual([
    303,
    `${platform.baseUrl}/accounts?tab=1&connection_id=${begun.body.id}&status=choosing`,
  ]);
  // A reload shows the same result; with another code the state is used up.
  expect((await asBrowser(callback)).headers.get('location')).toBe(arrived.headers.get('location'));
  expect((await asBrowser(callback.replace(/code=[^&]*/, 'code=another'))).status).toBe(400);

  const offered = await readConnection(begun.body.id);
  expect(offered.accounts.map(({ account_id }) => account_id)).toContain(second);
  const chosen = await api<Connection>('POST', `${own}/integrations/connect/${begun.body.id}/accounts`, { account_ids: [second] });
  expect(chosen).toMatchObject({ status: 200, body: { status: 'connected', integrations: [{ account_id: second, status: 'connected' }] } });
  const id = chosen.body.integrations[0]?.id ?? '';

  const sent = await send('From the second page');
  expect(sent.publish_results).toMatchObject([{ platform: 'facebook', status: 'success', integration_id: id }]);
  expect(await platform.sandbox.posts('From the second page')).toHaveLength(1);

  expect((await api('POST', `${own}/integrations/${id}/refresh`)).body).toMatchObject({ id, status: 'connected', reconnect_url: null });
  expect(await api('DELETE', `${own}/integrations/${id}`)).toMatchObject({ status: 200, body: { status: 'deleted' } });
  const disconnected = await readIntegration(id);
  expect(disconnected).toMatchObject({ status: 'disconnected', reconnect_url: expect.stringContaining(id) as string });
  await eventually(async () => {
    const { body: post } = await api<PostBody>('POST', `${own}/posts`, { caption: 'To nobody' });
    return (await api('POST', `${own}/posts/${post.id}/publish`)).status === 400;
  });

  const again = await begin({ platform: 'facebook', integration_id: id });
  const reconnected = await decide(again.body.authorize_url, 'allow');
  const finished = await fetch(reconnected, { headers: { accept: 'application/json' } });
  // The browser sees only that it succeeded; the connected accounts are visible to those with permission.
  expect(await finished.json()).toEqual({ id: again.body.id, platform: 'facebook', status: 'connected', error: null, error_message: null });
  expect(await readConnection(again.body.id)).toMatchObject({ integrations: [{ id, status: 'connected' }] });
  for (const _ of ['first', 'reload']) expect(await (await asBrowser(reconnected)).text()).toContain('<h1>Connected</h1>');
});

test('settings of an account are sent with its posts', async () => {
  const account = await platform.sandbox.createAccount('x', 'choosy');
  const { body } = await begin({ platform: 'x' });
  const page = await asBrowser(await decide(body.authorize_url, 'allow', account));
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('choosy');
  const id = (await readConnection(body.id)).integrations[0]?.id ?? '';
  expect(await api('PATCH', `${own}/integrations/${id}`, { settings: { reply_settings: 'nobody' } })).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', param: 'settings.reply_settings' },
  });
  expect(
    (await api<Integration>('PATCH', `${own}/integrations/${id}`, { settings: { reply_settings: 'verified' } })).body.settings,
  ).toEqual({
    reply_settings: 'verified',
  });
  await eventually(async () => (await send('Only for some')).publish_results.some(({ integration_id }) => integration_id === id));
  const requests = await platform.sandbox.requests({ platform: 'x', path: '/2/tweets' });
  expect(requests.map(({ body: sent }) => sent)).toContainEqual(expect.objectContaining({ reply_settings: 'verified' }));
});

test("a person who denies access, and one with another person's parameters, connect nothing", async () => {
  const before = (await api('GET', `${own}/integrations`)).body;
  const { body } = await begin({ platform: 'x' });
  const denied = await asBrowser(await decide(body.authorize_url, 'deny'));
  expect(denied.status).toBe(200);
  expect(await denied.text()).toContain('did not allow');
  expect(await readConnection(body.id)).toMatchObject({ status: 'failed', error: 'access_denied' });

  const forged = await asBrowser(`${platform.baseUrl}/api/integrations/callback?state=made-up&code=made-up`);
  expect([forged.status, forged.headers.get('location')]).toEqual([400, null]);
  expect(await begin({ platform: 'x', redirect_uri: 'https://evil.example/' })).toMatchObject({
    status: 400,
    body: { param: 'redirect_uri' },
  });
  expect((await api('GET', `${own}/integrations`)).body).toEqual(before);
});

test('an account whose access the platform revoked returns where to reconnect it', async () => {
  const account = await platform.sandbox.createAccount('x', 'lockedout');
  const { body } = await begin({ platform: 'x' });
  await asBrowser(await decide(body.authorize_url, 'allow', account));
  const id = (await readConnection(body.id)).integrations[0]?.id ?? '';
  await fetch(`${platform.sandbox.url}/_control/accounts/${account}/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  const rejected = await api('POST', `${own}/integrations/${id}/refresh`);
  expect(rejected).toMatchObject({ status: 401, body: { code: 'SOCIAL_TOKEN_EXPIRED' } });
  const { status, reconnect_url } = await readIntegration(id);
  expect([status, reconnect_url]).toEqual(['expired', rejected.body['reconnect_url']]);
});
