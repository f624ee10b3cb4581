import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { aConnection, anIntegration } from '../fakes/fake-integrations.ts';
import { AT } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  path = `/api/businesses/${gateway.businessId}/integrations`;
});
afterAll(() => gateway.stop());

const CURRENT = { 'service-version': '2026-08-06' };

const scope = () => ({ organizationId: gateway.organizationId, businessId: gateway.businessId });
const connected = (more: Parameters<typeof anIntegration>[0] = {}) => {
  const one = anIntegration({ id: newId(), ...scope(), ...more });
  gateway.services.accounts.integrations.set(one.id, one);
  return one;
};
const begun = (more: Parameters<typeof aConnection>[0] = {}) => {
  const one = aConnection({ id: newId(), ...scope(), ...more });
  gateway.services.accounts.connections.set(one.id, one);
  return one;
};
const send = (method: string, to: string, body?: unknown, headers: Record<string, string> = {}, key: string | null = gateway.apiKey) =>
  gateway.call(to, {
    method,
    key,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;

describe('connected accounts', () => {
  it('are listed with their capabilities, the reasons for missing ones, and a link to reconnect them', async () => {
    const lacking = { name: 'first_comment', available: false, reason: 'missing_scope', missingScopes: ['pages_manage_engagement'] };
    const one = connected({
      status: 'INTEGRATION_STATUS_EXPIRED',
      lastError: 'The access was taken back.',
      settings: { board_id: '7' },
      capabilities: [lacking],
    });
    const { items } = (await (await send('GET', path.replace(gateway.businessId, gateway.businessId.toUpperCase()))).json()) as {
      items: unknown[];
    };
    const shown = {
      id: one.id,
      business_id: gateway.businessId,
      platform: 'facebook',
      login: null,
      account_id: '1234',
      username: null,
      display_name: 'Bakery',
      page: 'The Bakery',
      picture_url: null,
      status: 'expired',
      scopes: ['pages_manage_posts'],
      token_expires_at: null,
      reconnect_by: null,
      capabilities: [{ name: 'first_comment', available: false, reason: 'missing_scope', missing_scopes: ['pages_manage_engagement'] }],
      settings: { board_id: '7' },
      last_error: 'The access was taken back.',
      reconnect_url: `https://api.example.com/businesses/${gateway.businessId}/integrations/${one.id}/reconnect`,
      created_at: AT.toISOString(),
      updated_at: AT.toISOString(),
    };
    expect(items).toContainEqual(shown);
    const read = await send('GET', `${path}/${one.id}`, undefined, CURRENT);
    expect(read.headers.get('etag')).toBe('"1.2026-08-06"');
    expect(await read.json()).toEqual({ self: `https://api.example.com${path}/${one.id}`, ...shown });
  });

  it('have no reconnect link while they work', async () => {
    const { id } = connected();
    expect(await (await send('GET', `${path}/${id}`)).json()).toMatchObject({ status: 'connected', reconnect_url: null });
  });

  it('accept settings, at an expected revision', async () => {
    const { id } = connected();
    const response = await send(
      'PATCH',
      `${path}/${id}`,
      { settings: { reply_settings: 'following', gone: null } },
      { 'if-match': '"1.2026-04-08"' },
    );
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"2.2026-04-08"']);
    expect(lastRequest('updateIntegration')).toMatchObject({ integrationId: id, settings: { reply_settings: 'following', gone: null } });
    await expectProblem(await send('PATCH', `${path}/${id}`, { settings: {} }, { 'if-match': '"1.2026-04-08"' }), {
      status: 412,
      code: 'precondition_failed',
    });
  });

  it('name the invalid setting', async () => {
    const { id } = connected();
    const errors = [{ param: 'settings.board_id', code: 'validation_failed' as const, detail: 'This platform has no setting "board_id".' }];
    gateway.services.failures.set('updateIntegration', new DomainError('validation_failed', 'x', { param: 'settings.board_id', errors }));
    await expectProblem(await send('PATCH', `${path}/${id}`, { settings: { board_id: '7' } }), {
      status: 422,
      code: 'validation_failed',
      param: 'settings.board_id',
    });
  });

  it('return the values of an option', async () => {
    const one = connected({ platform: 'pinterest' });
    const response = await send('GET', `${path}/${one.id}/choices/board_id?board_id=1&cursor=c`);
    expect([response.status, await response.json()]).toEqual([200, { items: [{ value: '7', label: 'Bread' }], next: 'more' }]);
    expect(lastRequest('listChoices')).toEqual({ integrationId: one.id, option: 'board_id', given: { board_id: '1' }, pageToken: 'c' });
    const unknown = await send('GET', `${path}/${one.id}/choices/colour`);
    await expectProblem(unknown, { status: 400, code: 'invalid_value', param: 'option' });
  });

  it('are disconnected', async () => {
    const { id } = connected();
    expect(await (await send('DELETE', `${path}/${id}`)).json()).toEqual({ status: 'deleted' });
    expect(await (await send('GET', `${path}/${id}`)).json()).toMatchObject({ status: 'disconnected' });
  });

  it('are refreshed, or return a link to reconnect them', async () => {
    const { id } = connected();
    expect(await (await send('POST', `${path}/${id}/refresh`, undefined, CURRENT)).json()).toMatchObject({
      id,
      self: `https://api.example.com${path}/${id}`,
    });
    gateway.services.failures.set('refreshIntegration', new DomainError('SOCIAL_TOKEN_EXPIRED', 'The grant was revoked.'));
    const problem = await expectProblem(await send('POST', `${path}/${id}/refresh`), { status: 401, code: 'SOCIAL_TOKEN_EXPIRED' });
    expect(problem['reconnect_url']).toBe(`https://api.example.com/businesses/${gateway.businessId}/integrations/${id}/reconnect`);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/refresh'],
  ])('of another business are not found: %s …%s', async (method, rest) => {
    const { id } = connected({ businessId: newId() });
    const body = method === 'PATCH' ? { settings: {} } : undefined;
    await expectProblem(await send(method, `${path}/${id}${rest}`, body), { status: 404, code: 'resource_not_found' });
    await expectProblem(await send(method, `${path}/no-uuid${rest}`, body), {
      status: 400,
      code: 'invalid_value',
      param: 'integration_id',
    });
  });
});

describe('connecting', () => {
  it('returns the page for the person who connects', async () => {
    const integration = connected({ platform: 'x' });
    const body = {
      platform: 'Twitter',
      redirect_uri: 'https://api.example.com/accounts?tab=1',
      integration_id: integration.id.toUpperCase(),
    };
    const response = await send('POST', `${path}/connect`, body);
    const shown = (await response.json()) as { id: string };
    expect([response.status, shown]).toEqual([
      201,
      {
        id: shown.id,
        authorize_url: `https://platform.example/authorize?state=state-${shown.id}`,
        state: `state-${shown.id}`,
        expires_at: AT.toISOString(),
      },
    ]);
    expect(response.headers.get('location')).toBe(`https://api.example.com${path}/connect/${shown.id}`);
    expect(lastRequest('beginConnection')).toMatchObject({
      platform: 'x',
      integrationId: integration.id,
      redirectUri: 'https://api.example.com/api/integrations/callback',
      returnUrl: body.redirect_uri,
    });
  });

  it('starts with the requested login if a platform has several; accounts show their login', async () => {
    expect((await send('POST', `${path}/connect`, { platform: 'instagram', login: 'instagram' })).status).toBe(201);
    expect(lastRequest('beginConnection')).toMatchObject({ platform: 'instagram', login: 'instagram' });
    const { id } = connected({ platform: 'instagram', login: 'instagram' });
    expect(await (await send('GET', `${path}/${id}`)).json()).toMatchObject({ platform: 'instagram', login: 'instagram' });
    const unknown = await send('POST', `${path}/connect`, { platform: 'instagram', login: 'google' });
    await expectProblem(unknown, { status: 422, code: 'validation_failed', param: 'login' });
  });

  it('starts once for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await (await send('POST', `${path}/connect`, { platform: 'x' }, key)).json();
    expect(await (await send('POST', `${path}/connect`, { platform: 'x' }, key)).json()).toEqual(first);
  });

  it.each(['https://evil.example/', 'https://api.example.com.evil.example/', 'https://api.example.com@evil.example/'])(
    'redirects to permitted pages only: %s',
    async (redirect_uri) => {
      const response = await send('POST', `${path}/connect`, { platform: 'x', redirect_uri });
      await expectProblem(response, { status: 400, code: 'invalid_value', param: 'redirect_uri' });
    },
  );

  it('requires a platform', async () => {
    await expectProblem(await send('POST', `${path}/connect`, {}), { status: 400, code: 'missing_field', param: 'platform' });
  });

  it('is for admins', async () => {
    const editor = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    await expectProblem(await send('POST', `${path}/connect`, { platform: 'x' }, {}, editor), { status: 403, code: 'permission_denied' });
  });

  it('shows the accounts of a login, and connects the chosen ones', async () => {
    const integration = connected();
    const account = { accountId: '7', username: '', displayName: 'Harbour', page: 'Harbour', integrationId: integration.id };
    const { id } = begun({ status: 'CONNECTION_STATUS_CHOOSING', accounts: [account] });
    const read = await send('GET', `${path}/connect/${id}`, undefined, CURRENT);
    const shown = await read.json();
    expect(shown).toEqual({
      self: `https://api.example.com${path}/connect/${id}`,
      id,
      business_id: gateway.businessId,
      platform: 'facebook',
      status: 'choosing',
      accounts: [
        { account_id: '7', username: null, display_name: 'Harbour', page: 'Harbour', picture_url: null, integration_id: integration.id },
      ],
      integrations: [],
      error: null,
      error_message: null,
      expires_at: AT.toISOString(),
      created_at: AT.toISOString(),
    });
    const chosen = await send('POST', `${path}/connect/${id}/accounts`, { account_ids: ['7'] }, CURRENT);
    expect(await chosen.json()).toMatchObject({ self: `https://api.example.com${path}/connect/${id}`, status: 'connected', accounts: [] });
    expect(chosen.headers.get('etag')).not.toBe(read.headers.get('etag'));
    expect(lastRequest('chooseAccounts')).toMatchObject({ connectionId: id, accountIds: ['7'] });
  });

  it('of another business is not found', async () => {
    const { id } = begun({ businessId: newId() });
    await expectProblem(await send('GET', `${path}/connect/${id}`), { status: 404, code: 'resource_not_found' });
    const choice = await send('POST', `${path}/connect/${id}/accounts`, { account_ids: ['7'] });
    await expectProblem(choice, { status: 404, code: 'resource_not_found' });
  });
});
