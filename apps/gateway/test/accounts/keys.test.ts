import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { createKey, MAX_WORKING_KEYS, rotateKey } from '../../src/accounts/keys/issue-key.ts';
import type { ApiKeyDocument } from '../../src/accounts/store/api-keys.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

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

describe('POST /api/keys', () => {
  it('creates a key that works immediately, returns it once and stores only its hash', async () => {
    const response = await gateway.post('/api/keys', { name: 'Build server' });
    const { secret, ...key } = (await response.json()) as Key;
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`https://api.example.com/api/keys/${key.id}`);
    expect(secret).toMatch(/^fk_test_[\w-]{43}$/);
    expect(await works(secret)).toBe(true);
    expect(key).toEqual({
      id: key.id,
      organization_id: gateway.organizationId,
      name: 'Build server',
      hint: secret.slice(-4),
      created_at: expect.any(String),
      created_by: { type: 'key', id: expect.any(String), name: 'test' },
      owner: { type: 'key', id: expect.any(String), name: 'test' },
      expires_at: null,
      last_used_at: null,
      rotated_from: null,
    });

    const read = await gateway.call(`/api/keys/${key.id}`, { headers: { 'service-version': '2026-08-06' } });
    const { last_used_at: _, ...same } = key;
    expect(await read.json()).toMatchObject({ ...same, self: `https://api.example.com/api/keys/${key.id}` });
    expect(await get(key.id)).not.toHaveProperty('secret');
    const document = await stored().findOne({ _id: key.id });
    expect(document?.secret_hash).toBe(hashApiKey(secret));
    for (const name of ['api_keys', 'audit_entries', 'idempotency_records']) {
      const everything = JSON.stringify(await gateway.context.db.collection(name).find().toArray());
      expect(everything).not.toContain(secret.slice(8));
    }
  });

  it('returns the same secret to a repeat', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect(again).toEqual(first);
    expect((await list('?limit=100')).items.filter(({ id }) => id === first.id)).toHaveLength(1);
    await expectProblem(await gateway.post('/api/keys', { name: 'Other' }, headers), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
  });

  it('creates one key with one secret if an operation runs twice', async () => {
    const maker = await create({ name: 'Maker' });
    const wanted = {
      operationId: newId(),
      keyId: newId(),
      organizationId: gateway.organizationId,
      mode: 'test',
      actor: `key:${maker.id}`,
      request: { requestId: 'r' },
    } as const;
    const outcomes = await Promise.all([1, 2, 3].map(() => createKey(gateway.context, wanted, { name: 'Twice' })));
    expect(new Set(outcomes.map(({ secret }) => secret)).size).toBe(1);
    expect(await works(outcomes[0]!.secret)).toBe(true);
    expect(await stored().countDocuments({ name: 'Twice' })).toBe(1);
    expect(await gateway.context.db.collection('audit_entries').countDocuments({ target_id: wanted.keyId })).toBe(1);

    const rotation = { ...wanted, operationId: newId(), keyId: newId() };
    const rotate = () => rotateKey(gateway.context, rotation, { keyId: wanted.keyId, overlapMs: 0 });
    const first = await rotate();
    expect((await rotate()).secret).toBe(first.secret);
    expect(await stored().countDocuments({ name: 'Twice' })).toBe(2);
  });

  it('creates keys that expire', async () => {
    const { id, secret, expires_at } = await create({ expires_at: '2040-01-01T00:00:00Z' });
    expect(expires_at).toBe('2040-01-01T00:00:00.000Z');
    expect(await works(secret)).toBe(true);
    await stored().updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1000) } });
    await eventually(async () => !(await works(secret)), 5_000);
    expect((await list('?limit=100')).items.map((key) => key.id)).toContain(id);
    await stored().updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 31 * DAY_MS) } });
    expect((await list('?limit=100')).items.map((key) => key.id)).not.toContain(id);
    await expectProblem(await gateway.call(`/api/keys/${id}`), { status: 404, code: 'resource_not_found' });
  });

  it('rejects an expiry in the past, and a missing name', async () => {
    const past = { name: 'x', expires_at: '2020-01-01T00:00:00Z' };
    await expectProblem(await gateway.post('/api/keys', past), { status: 400, code: 'invalid_request', param: 'expires_at' });
    await expectProblem(await gateway.post('/api/keys', {}), { status: 400, code: 'missing_field', param: 'name' });
    await expectProblem(await gateway.post('/api/keys', { name: ' ' }), { status: 422, code: 'validation_failed', param: 'name' });
  });

  it('limits an organization to 100 active keys, even in concurrent calls', async () => {
    const key = await gateway.newKey();
    const [{ organization_id }] = (await list('', { key })).items as [Key];
    const documents = Array.from({ length: MAX_WORKING_KEYS - 3 }, (_, n) => ({
      _id: newId(),
      organization_id,
      name: `${n}`,
      secret_hash: newId(),
      hint: '',
      created_at: new Date(),
    }));
    await stored().insertMany([...documents, { ...documents[0]!, _id: newId(), secret_hash: newId(), expires_at: new Date(0) }]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'one of many' });
    const responses = await Promise.all(Array.from({ length: 6 }, () => gateway.call('/api/keys', { key, method: 'POST', body, headers })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    await expectProblem(
      responses.find(({ status }) => status === 409)!,
      { status: 409, code: 'conflict' },
    );
  });
});

describe('GET /api/keys', () => {
  it('pages through them, newest first, without secrets', async () => {
    const newest = await create({ name: 'Newest' });
    const { items, next } = await list('?limit=1');
    expect(items.map(({ id }) => id)).toEqual([newest.id]);
    expect(items[0]).not.toHaveProperty('secret');
    const rest = await list(`?limit=100&cursor=${next}`);
    expect(rest.items.map(({ id }) => id)).not.toContain(newest.id);
    expect(rest.items.map(({ created_at }) => created_at)).toEqual(
      rest.items
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    );
  });

  it('returns no keys of another organization', async () => {
    const key = await gateway.newKey();
    const [foreign] = (await list('', { key })).items as [Key];
    expect((await list('?limit=100')).items.map(({ id }) => id)).not.toContain(foreign.id);
    const notFound = { status: 404, code: 'resource_not_found' };
    await expectProblem(await gateway.call(`/api/keys/${foreign.id}`), notFound);
    await expectProblem(await gateway.call(`/api/keys/${foreign.id}`, { method: 'DELETE' }), notFound);
    await expectProblem(await rotate(foreign.id), notFound);
    const { next } = await list('?limit=1');
    const cursor = await gateway.call(`/api/keys?cursor=${next}`, { key });
    await expectProblem(cursor, { status: 400, code: 'invalid_request', param: 'cursor' });
    expect(await works(key)).toBe(true);
  });

  it('returns when a key was last used, without slowing requests down', async () => {
    const { id, secret } = await create({ name: 'Used' });
    const before = Date.now();
    for (let n = 0; n < 5; n++) await works(secret);
    const { last_used_at } = await eventually(async () => {
      const key = await get(id);
      return key.last_used_at === null ? undefined : key;
    });
    expect(new Date(last_used_at!).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('does not change the revision of a key when it is used', async () => {
    const { id, secret } = await create({ name: 'Busy' });
    const etag = (await gateway.call(`/api/keys/${id}`)).headers.get('etag')!;
    await works(secret);
    await eventually(async () => (await get(id)).last_used_at !== null, 10_000);
    expect((await gateway.call(`/api/keys/${id}`)).headers.get('etag')).toBe(etag);
    expect((await gateway.call(`/api/keys/${id}`, { method: 'DELETE', headers: { 'if-match': etag } })).status).toBe(200);
  });
});

it('writes the last use of keys at a stop', async () => {
  const other = await startGateway();
  const used = () => other.context.db.collection<ApiKeyDocument>('api_keys').findOne({ last_used_at: { $exists: true } });
  expect((await other.call('/api/usage')).status).toBe(200);
  const first = await eventually(async () => (await used()) ?? undefined, 10_000);
  expect((await other.call('/api/usage')).status).toBe(200);
  await other.context.keyUsage.stop();
  expect((await used())!.last_used_at!.getTime()).toBeGreaterThan(first.last_used_at!.getTime());
  await other.stop();
});
