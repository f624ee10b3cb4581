// The caller is checked again after time has passed: while a body arrives, and before a stored response is returned.
import { request as httpRequest } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { aPerson } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

it('rejects a key that was revoked while its body arrived', async () => {
  const key = await gateway.newKey();
  const slow = httpRequest(`${gateway.url}/api/feedback`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  slow.write('{"message":');
  await eventually(async () => (await gateway.call('/api/businesses', { key })).status === 200);
  await gateway.context.db.collection('api_keys').updateOne({ secret_hash: hashApiKey(key) }, { $set: { revoked_at: new Date() } });
  await eventually(async () => (await gateway.call('/api/businesses', { key })).status === 401);
  slow.end('"x"}');
  expect(await status).toBe(401);
});

it('starts no connection for a key that is revoked before its body arrives', async () => {
  const { organizationId, businessId } = gateway;
  const { apiKey: key } = await gateway.admin.createApiKey({ organizationId, name: 'late' }, admin);
  const slow = httpRequest(`${gateway.url}/api/businesses/${businessId}/integrations/connect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': '16', expect: '100-continue' },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  // The server has the headers, and may have checked the key.
  await new Promise((resolve) => slow.once('continue', resolve).flushHeaders());
  await gateway.context.db.collection('api_keys').updateOne({ secret_hash: hashApiKey(key) }, { $set: { revoked_at: new Date() } });
  slow.end('{"platform":"x"}');
  expect(await status).toBe(401);
});

it('returns no stored response to a member without permission', async () => {
  const [editor, viewer] = [await aPerson(gateway, 'editor'), await aPerson(gateway, 'viewer')];
  const body = JSON.stringify({ business_id: gateway.businessId, url: 'https://example.com/a.jpg' });
  const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
  const importMedia = (key: string) => gateway.call('/api/media/from-url', { method: 'POST', key, headers, body });
  expect((await importMedia(editor.tokens.access_token)).status).toBe(201);
  await expectProblem(await importMedia(viewer.tokens.access_token), { status: 403, code: 'permission_denied' });
  const again = await importMedia(editor.tokens.access_token);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
});

it('renders a stored response in the version of the repeat', async () => {
  const posts = `/api/businesses/${gateway.businessId}/posts`;
  const { id } = (await (await gateway.post(posts, { caption: 'x' })).json()) as { id: string };
  const path = `${posts}/${id}/review`;
  const key = newId();
  const importMedia = (version: string) =>
    gateway.call(path, {
      method: 'POST',
      body: '{"decision":"approve"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, 'service-version': version },
    });
  const first = await importMedia('2026-04-08');
  const again = await importMedia('2026-08-06');
  expect(first.status).toBe(200);
  const bodies = [await first.json(), await again.json()] as Record<string, unknown>[];
  expect(bodies.map((body) => 'self' in body)).toEqual([false, true]);
  expect([first, again].map((response) => response.headers.get('etag')?.slice(-11, -1))).toEqual(['2026-04-08', '2026-08-06']);
});

it('reads no database for a guess if the address has reached its limit, and still accepts known callers', async () => {
  const { db } = gateway.context;
  const known = gateway.apiKey;
  expect((await gateway.call('/api/businesses', { key: known })).status).toBe(200);
  const tight = { apiAccess: true, requestsPerMinute: 3, requestsPerDay: 3, requestsPerWeek: 3, generatedPostsPerMonth: 0 };
  await gateway.admin.putPlan({ plan: { ...tight, id: 'anonymous' } }, admin);
  const guess = () => gateway.call('/api/businesses', { key: `fk_test_${newId().replaceAll('-', '').padEnd(43, 'A')}` });
  await eventually(async () => (await guess()).status === 429);

  await db.command({ profile: 2 });
  for (let each = 0; each < 10; each++) expect((await guess()).status).toBe(429);
  await db.command({ profile: 0 });
  // The last use of a key is written later, and is not counted.
  expect(await db.collection('system.profile').countDocuments({ ns: `${db.databaseName}.api_keys`, op: { $ne: 'update' } })).toBe(0);
  expect((await gateway.call('/api/businesses', { key: known })).status).toBe(200);
});

it('returns one URL for every spelling of a path', async () => {
  const id = gateway.businessId;
  const headers = { 'service-version': '2026-08-06' };
  const selves = await Promise.all(
    [`/api/businesses/${id}`, `/api/businesses/${id.toUpperCase()}`, `/api/businesses/${id}/`].map(async (path) => {
      const response = await gateway.call(path, { headers });
      return ((await response.json()) as { self: string }).self;
    }),
  );
  expect(new Set(selves).size).toBe(1);
});

it('reports problems of query and body at once', async () => {
  const response = await gateway.post(`/api/businesses/${gateway.businessId}/posts?colour=red`, { caption: 3 });
  const problem = await expectProblem(response, { status: 422, code: 'validation_failed', param: 'colour' });
  expect((problem['errors'] as { param: string }[]).map(({ param }) => param)).toEqual(['colour', 'caption']);
});
