import { newId } from '@fanfare/runtime';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { aConnection, anIntegration } from '../fakes/fake-integrations.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const begun = (more: Parameters<typeof aConnection>[0] = {}) => {
  const { organizationId, businessId } = gateway;
  const one = aConnection({ id: newId(), organizationId, businessId, ...more });
  gateway.services.accounts.connections.set(one.id, one);
  return one;
};
const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;
const arrive = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.call(`/api/integrations/callback?${query}`, { method, key: null, redirect: 'manual', headers });

describe('the callback of a platform', () => {
  it('needs no credential, and returns JSON except to browsers', async () => {
    const { id } = begun({ status: 'CONNECTION_STATUS_CONNECTED', returnUrl: 'https://api.example.com/accounts' });
    for (const accept of ['application/json', '*/*']) {
      const response = await arrive(`state=state-${id}&code=c0de&iss=anything`, { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      // The person who signed in at the platform need not be a member.
      expect(await response.json()).toEqual({ id, platform: 'facebook', status: 'connected', error: null, error_message: null });
    }
    expect(lastRequest('finishConnection')).toMatchObject({ state: `state-${id}`, code: 'c0de', error: '' });
  });

  it('connects nothing for a key or member that may no longer connect accounts', async () => {
    const key = await gateway.newKey();
    const [business = { id: '' }] = ((await (await gateway.call('/api/businesses', { key })).json()) as { items: { id: string }[] }).items;
    const started = await gateway.call(`/api/businesses/${business.id}/integrations/connect`, {
      method: 'POST',
      key,
      body: '{"platform":"x"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(started.status).toBe(201);
    const { state } = (await started.json()) as { state: string };
    await gateway.context.db.collection('api_keys').updateOne({ secret_hash: hashApiKey(key) }, { $set: { revoked_at: new Date() } });
    await arrive(`state=${state}&code=c0de`);
    expect(lastRequest('finishConnection')).toMatchObject({ state, code: '', error: 'access_denied' });
  });

  it('redirects a browser to the page where the connection was started', async () => {
    const failed = begun({
      status: 'CONNECTION_STATUS_FAILED',
      error: 'access_denied',
      returnUrl: 'https://api.example.com/accounts?tab=1',
    });
    const response = await arrive(`state=state-${failed.id}&error=access_denied`, HTML);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(
      `https://api.example.com/accounts?tab=1&connection_id=${failed.id}&status=failed&error=access_denied`,
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('does not redirect to a page that has been removed from the list', async () => {
    const { id } = begun({ status: 'CONNECTION_STATUS_CONNECTED', returnUrl: 'https://former.example/accounts' });
    const response = await arrive(`state=state-${id}&code=c0de`, HTML);
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
  });

  it('shows a page of text otherwise', async () => {
    const integrations = [anIntegration({ displayName: '<img src=x onerror=alert(1)>' })];
    const { id } = begun({ status: 'CONNECTION_STATUS_CONNECTED', integrations });
    const response = await arrive(`state=state-${id}&code=c0de`, HTML);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toMatch(/<img|<script|state-|c0de/);
  });

  it.each([
    ['state=unknown&code=c0de', 'state'],
    ['code=c0de', 'state'],
    ['state=state-x', 'code'],
    ['', 'state'],
  ])('reports %j to programs and to browsers', async (query, param) => {
    await expectProblem(await arrive(query), { status: 400, code: 'invalid_request', param });
    const page = await arrive(query, HTML);
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await page.text()).not.toContain('unknown&');
  });

  it.each([
    ['access_denied', 'You did not allow Fanfare to publish on Facebook'],
    ['no_accounts', 'has no account that Fanfare can publish to'],
    ['other_account', 'does not own the account'],
    ['platform_error', 'Facebook said no.'],
  ])('says why nothing was connected, and what to do next: %s', async (error, words) => {
    const { id } = begun({ status: 'CONNECTION_STATUS_FAILED', error, errorMessage: 'Facebook said no.' });
    const page = await (await arrive(`state=state-${id}&error=${error}`, HTML)).text();
    for (const part of ['Not connected · Fanfare', words, 'go back to where you started']) expect(page).toContain(part);
  });

  it('is the same operation with the same query, as after a reload, and another one otherwise', async () => {
    const { id } = begun({ status: 'CONNECTION_STATUS_CONNECTED' });
    const operations: string[] = [];
    for (const brought of ['code=c0de', 'code=c0de', 'code=other', 'error=access_denied']) {
      await arrive(`state=state-${id}&${brought}`, HTML);
      operations.push((lastRequest('finishConnection') as { operationId: string }).operationId);
    }
    expect(new Set(operations).size).toBe(3);
    expect(operations[0]).toBe(operations[1]);
    expect(operations.join()).not.toMatch(/state-|c0de/);
  });

  it('shows a page instead of JSON to browsers even if the service is down', async () => {
    gateway.services.failures.set('finishConnection', new Error('unavailable'));
    const { id } = begun();
    const response = await arrive(`state=state-${id}&code=c0de`, HTML);
    gateway.services.failures.delete('finishConnection');
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    const page = await response.text();
    expect(page).toContain('Something went wrong on our side');
    expect(page).toContain(response.headers.get('x-request-id') ?? 'no id');
  });

  it('trusts an error of the platform, whatever other parameters there are', async () => {
    const { id } = begun({ status: 'CONNECTION_STATUS_FAILED' });
    await arrive(`state=state-${id}&code=c0de&error=access_denied`);
    expect(lastRequest('finishConnection')).toMatchObject({ code: '', error: 'access_denied' });
  });

  it('does not use up the attempt for a HEAD request', async () => {
    const { id } = begun();
    const before = gateway.services.calls.length;
    expect((await arrive(`state=state-${id}&code=c0de`, {}, 'HEAD')).status).toBe(405);
    expect(gateway.services.calls.slice(before)).toEqual([]);
  });
});
