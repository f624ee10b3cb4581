import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { createKey } from '../../src/accounts/keys/issue-key.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { keepLineages } from '../../src/accounts/store/api-key-lineages.ts';
import type { ApiKeyDocument } from '../../src/accounts/store/api-keys.ts';
import { anOrganization, aPerson, SIGNED_OUT, type Person } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

interface Key {
  id: string;
  secret: string;
  owner: { type: string; id: string | null; name: string | null };
  expires_at: string | null;
}
interface Ended {
  status: string;
  keys: { id: string; name: string; hint: string; outcome: string }[];
}

const stored = () => gateway.context.db.collection<ApiKeyDocument>('api_keys');
const as = (key: string, method: string, path: string, body?: object) =>
  gateway.call(path, { key, method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
const made = async (response: Response) => {
  expect(response.status).toBe(201);
  return (await response.json()) as Key;
};
const keyBy = async (key: string, body: object = {}) => made(await as(key, 'POST', '/api/keys', { name: 'Made', ...body }));
const keyOf = async (person: Person, name = 'Theirs') => made(await person.call('POST', '/api/keys', { name }));
const ended = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as Ended;
};
const shown = async (id: string) => (await (await gateway.call(`/api/keys/${id}`)).json()) as Key;
const works = async ({ secret }: Key) => (await gateway.call('/api/businesses', { key: secret })).status === 200;
const stops = (...keys: Key[]) => eventually(async () => (await Promise.all(keys.map(works))).every((one) => !one), 5_000);
const idsOf = ({ keys }: Ended) => keys.map(({ id }) => id);

describe('a key', () => {
  it('cannot change its organization from the moment it is revoked', async () => {
    const { id, secret } = await keyBy(gateway.apiKey);
    const other = await keyBy(gateway.apiKey);
    // It was used, and is cached for some seconds.
    expect(await works({ id, secret } as Key)).toBe(true);
    await ended(await gateway.call(`/api/keys/${id}`, { method: 'DELETE' }));
    await expectProblem(await as(secret, 'POST', '/api/keys', { name: 'Too late' }), SIGNED_OUT);
    await expectProblem(await as(secret, 'POST', `/api/keys/${other.id}/rotate`, {}), SIGNED_OUT);
    await expectProblem(await as(secret, 'DELETE', `/api/keys/${other.id}`), SIGNED_OUT);
    await expectProblem(await as(secret, 'PATCH', `/api/organizations/${gateway.organizationId}`, { name: 'Mine' }), SIGNED_OUT);
    await expectProblem(await as(secret, 'DELETE', `/api/businesses/${gateway.businessId}/integrations/${newId()}`), SIGNED_OUT);
    expect(await works(other)).toBe(true);
  });

  it('cannot change anything if it is revoked while its request is processed', async () => {
    const { id } = await keyBy(gateway.apiKey);
    const other = await keyBy(gateway.apiKey);
    const acting = { organizationId: gateway.organizationId, actor: `key:${id}`, request: { requestId: 'r' } };
    await ended(await gateway.call(`/api/keys/${id}`, { method: 'DELETE' }));
    const wanted = { ...acting, operationId: newId(), keyId: newId(), mode: 'test' as const };
    const rejected = expect.objectContaining({ code: 'authentication_required' });
    await expect(createKey(gateway.context, wanted, { name: 'Too late' })).rejects.toEqual(rejected);
    await expect(revokeKey(gateway.context, { ...acting, keyId: other.id })).rejects.toEqual(rejected);
    expect(await stored().countDocuments({ _id: wanted.keyId })).toBe(0);
    expect(await works(other)).toBe(true);
  });

  it('leaves no keys that it creates while it is revoked', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await keyBy(gateway.apiKey);
      const acting = { organizationId: gateway.organizationId, actor: `key:${id}`, request: { requestId: 'r' } };
      const wanted = { ...acting, operationId: newId(), keyId: newId(), mode: 'test' as const };
      await Promise.allSettled([
        createKey(gateway.context, wanted, { name: 'Racing' }),
        gateway.call(`/api/keys/${id}`, { method: 'DELETE' }),
      ]);
      expect(await stored().countDocuments({ _id: wanted.keyId, revoked_at: { $exists: false } })).toBe(0);
    }
  });

  it('revokes the keys that it created, and those that these created', async () => {
    const parent = await keyBy(gateway.apiKey);
    const child = await keyBy(parent.secret);
    const grandchild = await keyBy(child.secret);
    const rotated = await made(await as(grandchild.secret, 'POST', `/api/keys/${grandchild.id}/rotate`, { overlap_seconds: 0 }));
    expect(grandchild.owner).toEqual({ type: 'key', id: child.id, name: 'Made' });
    const response = await ended(await gateway.call(`/api/keys/${parent.id}`, { method: 'DELETE' }));
    // The rotated key does not work any more.
    expect(response).toEqual({
      status: 'deleted',
      keys: [child, rotated].map(({ id, secret }) => ({ id, name: 'Made', hint: secret.slice(-4), outcome: 'revoked' })),
    });
    await stops(parent, child, grandchild, rotated);
  });

  it('hands them over to its owner on request', async () => {
    const owner = await aPerson(gateway, 'admin');
    const parent = await keyOf(owner);
    const child = await keyBy(parent.secret);
    const grandchild = await keyBy(child.secret);
    const response = await ended(await gateway.call(`/api/keys/${parent.id}?created_keys=keep`, { method: 'DELETE' }));
    expect(response.keys.map(({ id, outcome }) => [id, outcome])).toEqual([
      [child.id, 'handed_over'],
      [grandchild.id, 'handed_over'],
    ]);
    expect((await shown(child.id)).owner).toEqual({ type: 'user', id: owner.id, name: owner.tokens.user.name });
    expect((await shown(grandchild.id)).owner).toMatchObject({ type: 'key', id: child.id });
    expect(await Promise.all([child, grandchild].map(works))).toEqual([true, true]);
    // They belong to the owner.
    expect(idsOf(await ended(await owner.call('DELETE', `/api/members/${owner.id}`)))).toEqual([child.id, grandchild.id]);
  });

  it('cannot keep keys of the one whose revocation ends them', async () => {
    const parent = await keyBy(gateway.apiKey);
    const child = await keyBy(parent.secret);
    const rejected = { status: 403, code: 'permission_denied', param: 'created_keys' };
    for (const { id } of [parent, child]) {
      await expectProblem(await as(child.secret, 'DELETE', `/api/keys/${id}?created_keys=keep`), rejected);
    }
    expect(await Promise.all([parent, child].map(works))).toEqual([true, true]);
  });

  it('that expires creates none that expires later', async () => {
    const [soon, later] = ['2040-01-01T00:00:00.000Z', '2041-01-01T00:00:00.000Z'];
    const key = await keyBy(gateway.apiKey, { expires_at: soon });
    const endless = await keyBy(gateway.apiKey);
    expect((await keyBy(key.secret)).expires_at).toBe(soon);
    const tooLong = { status: 400, code: 'invalid_request', param: 'expires_at' };
    await expectProblem(await as(key.secret, 'POST', '/api/keys', { name: 'Longer', expires_at: later }), tooLong);
    await expectProblem(await as(key.secret, 'POST', `/api/keys/${endless.id}/rotate`, {}), tooLong);
    await expectProblem(await as(key.secret, 'POST', `/api/keys/${key.id}/rotate`, { expires_at: null }), tooLong);
    // If it rotates itself, it gets its original lifetime again.
    expect((await made(await as(key.secret, 'POST', `/api/keys/${key.id}/rotate`, {}))).expires_at).not.toBeNull();
  });

  it('without a lineage revokes the keys that it created too', async () => {
    const { organizationId } = gateway;
    const old = (name: string, created_by: string) => ({
      _id: newId(),
      organization_id: organizationId,
      name,
      secret_hash: hashApiKey(newId()),
      hint: 'abcd',
      created_at: new Date(),
      created_by,
    });
    const parent = old('Parent', `user:${newId()}`);
    const child = old('Child', `key:${parent._id}`);
    const grandchild = old('Grandchild', `key:${child._id}`);
    const { created_by: _, ...ancient } = old('Ancient', '');
    await stored().insertMany([parent, child, grandchild, ancient]);
    expect((await shown(parent._id)).owner).toMatchObject({ type: 'user' });
    expect((await shown(ancient._id)).owner).toEqual({ type: 'system', id: null, name: null });
    const { revokedWithIt } = await gateway.admin.revokeApiKey({ organizationId, apiKeyId: parent._id, keepCreated: false }, admin);
    expect(revokedWithIt).toEqual([child._id, grandchild._id]);
  });

  it('without a lineage gets one from the keys that still exist', async () => {
    const database = gateway.context.mongo.client.db(`${gateway.context.db.databaseName}_old`);
    const keys = database.collection<{ _id: string }>('api_keys');
    const [at, later] = [new Date(1), new Date(2)];
    await keys.insertMany([
      { _id: 'child', organization_id: 'o', created_by: 'key:parent', secret_hash: 'b', created_at: later },
      { _id: 'parent', organization_id: 'o', created_by: 'user:u', secret_hash: 'a', created_at: at },
      { _id: 'orphan', organization_id: 'o', created_by: 'key:gone', secret_hash: 'c', created_at: later },
      { _id: 'ancient', organization_id: 'o', secret_hash: 'd', created_at: at },
    ] as never[]);
    await keepLineages(database);
    await keepLineages(database);
    const lineages = await keys.find().sort({ _id: 1 }).project({ lineage: 1 }).toArray();
    await database.dropDatabase();
    expect(lineages).toEqual([
      { _id: 'ancient', lineage: ['system'] },
      { _id: 'child', lineage: ['key:parent', 'user:u'] },
      { _id: 'orphan', lineage: ['key:gone'] },
      { _id: 'parent', lineage: ['user:u'] },
    ]);
  });
});

describe('a member', () => {
  it('leaves no keys: those that they and their keys created are revoked when they are removed', async () => {
    const { owner, manager } = await anOrganization(gateway);
    const other = await keyOf(owner, 'Other');
    const own = await keyOf(manager);
    const child = await keyBy(own.secret);
    const page = (await (await owner.call('GET', `/api/keys?member_id=${manager.id}`)).json()) as { items: Key[] };
    expect(page.items.map(({ id }) => id)).toEqual([child.id, own.id]);
    const response = await ended(await owner.call('DELETE', `/api/members/${manager.id}`));
    expect(response.keys.map(({ id, outcome }) => [id, outcome])).toEqual([
      [own.id, 'revoked'],
      [child.id, 'revoked'],
    ]);
    await stops(own, child);
    expect(await works(other)).toBe(true);
    const entries = await gateway.context.db.collection('audit_entries').find({ action: 'key.revoked', target_id: child.id }).toArray();
    expect(entries).toEqual([
      expect.objectContaining({ actor: `user:${owner.id}`, details: { name: 'Made', made_by: `user:${manager.id}` } }),
    ]);
  });

  it('hands them over to another member on request', async () => {
    const { owner, manager, editor } = await anOrganization(gateway);
    const own = await keyOf(manager);
    const child = await keyBy(own.secret);
    const remove = (heir: string) => owner.call('DELETE', `/api/members/${manager.id}?hand_keys_to=${heir}`);
    for (const receiver of [manager.id, editor.id, newId(), 'nobody']) {
      await expectProblem(await remove(receiver), { status: 400, code: 'invalid_value', param: 'hand_keys_to' });
    }
    const response = await ended(await remove(owner.id));
    expect(response.keys.map(({ id, outcome }) => [id, outcome])).toEqual([
      [own.id, 'handed_over'],
      [child.id, 'handed_over'],
    ]);
    expect(await Promise.all([own, child].map(works))).toEqual([true, true]);
    const read = (await (await owner.call('GET', `/api/keys/${own.id}`)).json()) as Key;
    expect(read.owner).toEqual({ type: 'user', id: owner.id, name: owner.tokens.user.name });
    const page = (await (await owner.call('GET', `/api/keys?member_id=${owner.id}`)).json()) as { items: Key[] };
    expect(page.items.map(({ id }) => id)).toEqual([child.id, own.id]);
  });

  it('leaves none when they leave, or are no admin any more', async () => {
    const { owner, manager, organizationId } = await anOrganization(gateway);
    const second = await aPerson(gateway, 'owner', organizationId);
    const [own, demoted] = [await keyOf(second), await keyOf(manager)];
    expect(idsOf(await ended(await second.call('DELETE', `/api/members/${second.id}`)))).toEqual([own.id]);
    expect((await owner.call('PATCH', `/api/members/${manager.id}`, { role: 'editor' })).status).toBe(200);
    await stops(own, demoted);
  });

  it('keeps them with another role that manages keys, or hands them over with a lower one', async () => {
    const { owner, manager } = await anOrganization(gateway);
    const own = await keyOf(manager);
    const change = async (body: object) => expect((await owner.call('PATCH', `/api/members/${manager.id}`, body)).status).toBe(200);
    await change({ role: 'owner' });
    await change({ role: 'admin' });
    await change({ role: 'viewer', hand_keys_to: owner.id });
    const read = (await (await owner.call('GET', `/api/keys/${own.id}`)).json()) as Key;
    expect(read.owner).toMatchObject({ type: 'user', id: owner.id });
  });

  it('creates no keys and invites nobody with a session that has just ended', async () => {
    const { owner } = await anOrganization(gateway);
    expect((await owner.call('GET', '/api/me')).status).toBe(200);
    expect((await owner.call('POST', '/api/auth/sign-out', {})).status).toBe(200);
    await expectProblem(await owner.call('POST', '/api/keys', { name: 'Too late' }), SIGNED_OUT);
    await expectProblem(await owner.call('POST', '/api/invitations', { email: 'late@example.com', role: 'admin' }), SIGNED_OUT);
  });

  it('creates none if the session ends while the request is processed', async () => {
    const { owner, organizationId } = await anOrganization(gateway);
    const session = await gateway.context.db.collection('sessions').findOneAndDelete({ user_id: owner.id });
    const wanted = { organizationId, actor: `user:${owner.id}`, sessionId: String(session?._id), request: { requestId: 'r' } };
    const late = createKey(gateway.context, { ...wanted, operationId: newId(), keyId: newId(), mode: 'test' }, { name: 'Too late' });
    await expect(late).rejects.toEqual(expect.objectContaining({ code: 'authentication_required' }));
  });
});
