import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { ApiKeyDocument } from '../../src/accounts/store/api-keys.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

interface Key {
  id: string;
  organization_id: string;
  name: string;
  hint: string;
  created_at: string;
  created_by: { type: string; id: string | null; name: string | null };
  expires_at: string | null;
  last_used_at: string | null;
  rotated_from: string | null;
  secret: string;
}
const DAY_MS = 24 * 60 * 60_000;
const stored = () => gateway.context.db.collection<ApiKeyDocument>('api_keys');
const create = async (body: object = {}, headers: Record<string, string> = {}) => {
  const response = await gateway.post('/api/keys', { name: 'Build server', ...body }, headers);
  expect(response.status).toBe(201);
  return (await response.json()) as Key;
};
const rotate = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  gateway.post(`/api/keys/${id}/rotate`, body, headers);
const get = async (id: string) => (await (await gateway.call(`/api/keys/${id}`)).json()) as Key;
const works = async (key: string) => (await gateway.call('/api/businesses', { key })).status === 200;
const list = async (query = '', init: { key?: string } = {}) =>
  (await (await gateway.call(`/api/keys${query}`, init)).json()) as { items: Key[]; next: string | null };

describe('DELETE /api/keys/{key_id}', () => {
  it('stops a key everywhere within 5 s, for good', async () => {
    const second = await startGateway({ MONGODB_DATABASE: gateway.context.db.databaseName });
    const { id, secret } = await create({ name: 'Leaked' });
    const onBoth = () =>
      Promise.all(
        [gateway, second].map(
          async ({ url }) => (await fetch(`${url}/api/businesses`, { headers: { authorization: `Bearer ${secret}` } })).status,
        ),
      );
    expect(await onBoth()).toEqual([200, 200]);
    const response = await gateway.call(`/api/keys/${id}`, { method: 'DELETE' });
    expect([response.status, await response.json()]).toEqual([200, { status: 'deleted', keys: [] }]);
    await eventually(async () => (await onBoth()).every((status) => status === 401), 5_000);
    await expectProblem(await gateway.call(`/api/keys/${id}`), { status: 404, code: 'resource_not_found' });
    await expectProblem(await gateway.call(`/api/keys/${id}`, { method: 'DELETE' }), { status: 404, code: 'resource_not_found' });
    await expectProblem(await rotate(id), { status: 404, code: 'resource_not_found' });
    expect((await list('?limit=100')).items.map((key) => key.id)).not.toContain(id);
    await second.server.stop();
    await second.services.stop();
  });

  it('leaves a key that has changed since it was read, with If-Match', async () => {
    const { id, secret } = await create({ name: 'Read' });
    const etag = (await gateway.call(`/api/keys/${id}`)).headers.get('etag')!;
    expect((await gateway.call(`/api/keys/${id}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await rotate(id, { overlap_seconds: 600 });
    const stale = await gateway.call(`/api/keys/${id}`, { method: 'DELETE', headers: { 'if-match': etag } });
    await expectProblem(stale, { status: 412, code: 'precondition_failed' });
    expect(await works(secret)).toBe(true);
    const fresh = (await gateway.call(`/api/keys/${id}`)).headers.get('etag')!;
    expect((await gateway.call(`/api/keys/${id}`, { method: 'DELETE', headers: { 'if-match': fresh } })).status).toBe(200);
  });
});

describe('POST /api/keys/{key_id}/rotate', () => {
  it('creates a key that replaces the old one, which works for one more day', async () => {
    const old = await create();
    const before = Date.now();
    const response = await rotate(old.id);
    const key = (await response.json()) as Key;
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`https://api.example.com/api/keys/${key.id}`);
    expect(key).toMatchObject({ name: old.name, rotated_from: old.id, expires_at: null, hint: key.secret.slice(-4) });
    expect(await Promise.all([works(old.secret), works(key.secret)])).toEqual([true, true]);
    const expiry = new Date((await get(old.id)).expires_at!).getTime();
    expect(expiry).toBeGreaterThanOrEqual(before + DAY_MS - 60_000);
    expect(expiry).toBeLessThanOrEqual(Date.now() + DAY_MS + 60_000);
    // A second rotation never extends the old key's lifetime.
    const second = (await (await rotate(old.id, { overlap_seconds: 7 * 24 * 60 * 60 })).json()) as Key;
    expect(second.expires_at).toBeNull();
    expect(new Date((await get(old.id)).expires_at!).getTime()).toBe(expiry);
  });

  it('ends the old key immediately without an overlap', async () => {
    const old = await create();
    const headers = { 'idempotency-key': newId() };
    const key = (await (await rotate(old.id, { overlap_seconds: 0 }, headers)).json()) as Key;
    expect(await (await rotate(old.id, { overlap_seconds: 0 }, headers)).json()).toEqual(key);
    await eventually(async () => !(await works(old.secret)), 5_000);
    expect(await works(key.secret)).toBe(true);
    await expectProblem(await rotate(old.id), { status: 409, code: 'conflict', param: 'key_id' });
  });

  it('gives the new key the lifetime of the old one by default', async () => {
    const old = await create({ expires_at: new Date(Date.now() + 10 * DAY_MS).toISOString() });
    await stored().updateOne({ _id: old.id }, { $set: { created_at: new Date(Date.now() - 20 * DAY_MS) } });
    const days = async (body: object) => {
      const { expires_at } = (await (await rotate(old.id, body)).json()) as Key;
      return expires_at === null ? null : Math.round((new Date(expires_at).getTime() - Date.now()) / DAY_MS);
    };
    expect(await days({ overlap_seconds: 7 * 24 * 60 * 60, expires_at: null })).toBeNull();
    expect(await days({ expires_at: new Date(Date.now() + 3 * DAY_MS).toISOString() })).toBe(3);
    expect(await days({})).toBeLessThanOrEqual(30);
  });

  it.each([-1, 604_801, 1.5, '60', true])('rejects an overlap of %j', async (overlap_seconds) => {
    const { id } = await create();
    await expectProblem(await rotate(id, { overlap_seconds }), { status: 422, code: 'validation_failed', param: 'overlap_seconds' });
  });
});

describe('who may manage keys', () => {
  it.each([
    ['owner', 201],
    ['admin', 201],
    ['editor', 403],
    ['viewer', 403],
  ] as const)('%s: %i', async (role, status) => {
    const key = await signedIn(gateway, { [gateway.organizationId]: role });
    const headers = { 'content-type': 'application/json' };
    const response = await gateway.call('/api/keys', { key, method: 'POST', body: '{"name":"x"}', headers });
    expect(response.status).toBe(status);
    expect((await gateway.call('/api/keys', { key })).status).toBe(status === 201 ? 200 : 403);
  });

  it('requires the organization from a user of several ones', async () => {
    const [{ organization_id: foreign }] = (await list('', { key: await gateway.newKey() })).items as [Key];
    const key = await signedIn(gateway, { [gateway.organizationId]: 'owner', [foreign]: 'admin' });
    await expectProblem(await gateway.call('/api/keys', { key }), { status: 400, code: 'missing_field', param: 'organization_id' });
    const { items } = await list(`?organization_id=${foreign}`, { key });
    expect(items.map(({ organization_id }) => organization_id)).toEqual([foreign]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ organization_id: foreign, name: 'x' });
    const made = (await (await gateway.call('/api/keys', { key, method: 'POST', body, headers })).json()) as Key;
    expect(made.organization_id).toBe(foreign);
  });
});

it('lets operators list, create and revoke keys', async () => {
  const { organizationId } = gateway;
  const expiresAt = new Date('2040-01-01T00:00:00Z');
  const { id, apiKey } = await gateway.admin.createApiKey({ organizationId, name: 'From the shell', expiresAt }, admin);
  const { apiKeys, nextPageToken } = await gateway.admin.listApiKeys({ organizationId, pageSize: 1, pageToken: '' }, admin);
  expect(apiKeys).toMatchObject([{ id, name: 'From the shell', hint: apiKey.slice(-4), expiresAt }]);
  expect(nextPageToken).not.toBe('');
  expect((await get(id)).created_by).toEqual({ type: 'system', id: null, name: null });
  await gateway.admin.revokeApiKey({ organizationId, apiKeyId: id, keepCreated: false }, admin);
  await expect(gateway.admin.revokeApiKey({ organizationId, apiKeyId: id, keepCreated: false }, admin)).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  expect(await works(apiKey)).toBe(false);
});
