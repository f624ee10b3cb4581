import { request as httpRequest } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { describedBy } from '../fakes/fake-bytes.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';
import { startSecond, type SecondGateway } from '../two-gateways.ts';

let gateway: RunningGateway;
let second: SecondGateway;
beforeAll(async () => {
  gateway = await startGateway();
  second = await startSecond(gateway);
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});
beforeEach(() => gateway.services.resumable.clear());

const PATH = '/api/media/uploads';
const TUS = { 'tus-resumable': '1.0.0' };
const PART = { ...TUS, 'content-type': 'application/offset+octet-stream' };
const metadata = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
const ours = (more: Record<string, string> = {}) => metadata({ business_id: gateway.businessId, ...more });

const create = (headers: Record<string, string> = {}, init: RequestInit & { key?: string | null } = {}) =>
  gateway.call(PATH, { method: 'POST', ...init, headers: { ...TUS, 'upload-length': '10', 'upload-metadata': ours(), ...headers } });
const pathOf = (response: Response) => (response.headers.get('location') ?? '').slice(BASE_URL.length);
const created = async () => pathOf(await create());
const patch = (path: string, offset: number, body: string, by: Pick<RunningGateway, 'call'> = gateway) =>
  by.call(path, { method: 'PATCH', body, headers: { ...PART, 'upload-offset': String(offset) } });
const head = (path: string, init: { key?: string } = {}) => gateway.call(path, { method: 'HEAD', headers: TUS, ...init });
const only = () => [...gateway.services.resumable.values()][0];

it('is created, sent in parts through any gateway, queried, and deleted', async () => {
  const response = await create({ 'upload-metadata': ours({ filename: '大福 🍡.png', alt_text: 'Süß', relativePath: 'null' }) });
  expect(response.status).toBe(201);
  expect(await response.text()).toBe('');
  const mediaId = response.headers.get('fanfare-media-id') ?? '';
  expect(response.headers.get('location')).toBe(`${BASE_URL}${PATH}/${gateway.businessId}.${mediaId}`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'upload-expires': 'Sat, 08 Aug 2026 09:30:00 GMT',
    'cache-control': 'no-store',
  });
  expect(response.headers.has('x-inner')).toBe(false);
  const upload = gateway.services.resumable.get(mediaId);
  expect(describedBy(upload?.headers ?? {})).toMatchObject({ fileName: '大福 🍡.png', altText: 'Süß' });
  expect(upload?.headers).toMatchObject({ 'x-organization-id': gateway.organizationId, 'x-business-id': gateway.businessId });

  const path = pathOf(response);
  const one = await patch(path, 0, '12345');
  expect([one.status, one.headers.get('upload-offset'), one.headers.get('tus-resumable')]).toEqual([204, '5', '1.0.0']);
  const state = await head(path);
  expect(Object.fromEntries(state.headers)).toMatchObject({
    'upload-offset': '5',
    'upload-length': '10',
    'upload-metadata': upload?.metadata,
    'fanfare-media-id': mediaId,
    'cache-control': 'no-store',
  });
  expect(state.status).toBe(200);
  expect((await patch(path, 5, '67890', second)).headers.get('upload-offset')).toBe('10');
  expect(upload?.body.toString()).toBe('1234567890');

  expect((await gateway.call(path, { method: 'DELETE', headers: TUS })).status).toBe(204);
  expect((await head(path)).status).toBe(404);
});

it('can include its first bytes', async () => {
  const response = await create(PART, { body: '1234' });
  expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '4']);
  expect(only()?.body.toString()).toBe('1234');
});

it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('stores and returns metadata with the name %s', async (name) => {
  const given = { 'upload-metadata': `${ours()},${name} eA==` };
  const response = await create(given);
  expect(response.status).toBe(201);
  expect((await head(pathOf(response))).headers.get('upload-metadata')).toBe(given['upload-metadata']);
});

it('lists its extensions', async () => {
  const response = await gateway.call(PATH, { method: 'OPTIONS', key: null });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination,expiration',
  });
});

it('is created once with an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': newId() };
  const first = await create(headers);
  const repeat = await create(headers);
  expect(repeat.headers.get('location')).toBe(first.headers.get('location'));
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect(gateway.services.resumable.size).toBe(1);
  await expectProblem(await create({ ...headers, 'upload-length': '11' }), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
});

it.each<[string, () => Record<string, string>, number, string, string]>([
  ['another version', () => ({ 'tus-resumable': '0.2.2' }), 412, 'precondition_failed', 'Tus-Resumable'],
  ['no length', () => ({ 'upload-length': '' }), 400, 'invalid_value', 'Upload-Length'],
  ['a negative length', () => ({ 'upload-length': '-1' }), 400, 'invalid_value', 'Upload-Length'],
  ['an empty file', () => ({ 'upload-length': '0' }), 400, 'invalid_value', 'Upload-Length'],
  ['a deferred length', () => ({ 'upload-defer-length': '1' }), 400, 'invalid_value', 'Upload-Defer-Length'],
  [
    'a partial upload of a concatenation',
    () => ({ 'upload-concat': 'partial', 'upload-metadata': '' }),
    400,
    'invalid_value',
    'Upload-Concat',
  ],
  ['invalid metadata', () => ({ 'upload-metadata': 'business_id !' }), 400, 'invalid_value', 'Upload-Metadata'],
  ['duplicate metadata', () => ({ 'upload-metadata': `${ours()},${ours()}` }), 400, 'invalid_value', 'Upload-Metadata'],
  ['no business', () => ({ 'upload-metadata': metadata({ filename: 'x' }) }), 400, 'missing_field', 'business_id'],
  ['no UUID', () => ({ 'upload-metadata': metadata({ business_id: 'x' }) }), 400, 'invalid_value', 'business_id'],
  ['a foreign business', () => ({ 'upload-metadata': metadata({ business_id: gateway.foreignBusinessId }) }), 403, 'permission_denied', 'business_id'], // prettier-ignore
  ['too long a text', () => ({ 'upload-metadata': ours({ alt_text: 'x'.repeat(2001) }) }), 422, 'validation_failed', 'alt_text'],
])('is not created with %s', async (_what, headers, status, code, param) => {
  const response = await create(headers());
  expect(response.headers.get('tus-version')).toBe('1.0.0');
  await expectProblem(response, { status, code, param });
  expect(gateway.services.resumable.size).toBe(0);
});

it('continues only at its offset', async () => {
  const path = await created();
  await patch(path, 0, '123');
  const wrong = await patch(path, 0, '123');
  expect(wrong.headers.get('tus-resumable')).toBe('1.0.0');
  await expectProblem(wrong, { status: 409, code: 'upload_conflict', param: 'Upload-Offset' });
  await expectProblem(await gateway.call(path, { method: 'PATCH', body: 'x', headers: PART }), {
    status: 400,
    code: 'missing_field',
    param: 'Upload-Offset',
  });
  await expectProblem(await gateway.call(path, { method: 'PATCH', body: 'x', headers: { ...TUS, 'upload-offset': '3' } }), {
    status: 415,
    code: 'unsupported_media_type',
  });
  await expectProblem(await gateway.call(path, { method: 'PATCH', body: 'x' }), {
    status: 400,
    code: 'missing_field',
    param: 'Tus-Resumable',
  });
  expect(only()?.body.toString()).toBe('123');
});

it('is not found by other organizations', async () => {
  const path = await created();
  const strangers = { key: await gateway.newKey() };
  expect((await head(path, strangers)).status).toBe(404);
  await expectProblem(await gateway.call(path, { method: 'PATCH', body: 'x', headers: { ...PART, 'upload-offset': '0' }, ...strangers }), {
    status: 404,
    code: 'resource_not_found',
  });
  await expectProblem(await gateway.call(path, { method: 'DELETE', headers: TUS, ...strangers }), {
    status: 404,
    code: 'resource_not_found',
  });
  for (const id of ['x', newId(), `${newId()}.${newId()}`, `${gateway.businessId}.${newId()}`, `${gateway.businessId}.x`]) {
    expect((await head(`${PATH}/${id}`)).status).toBe(404);
  }
  expect(only()?.body).toHaveLength(0);
});

it('is not for viewers', async () => {
  const path = await created();
  const viewer = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
  expect((await head(path, { key: viewer })).status).toBe(403);
  expect((await create({}, { key: viewer })).status).toBe(403);
});

it('keeps received bytes when the connection breaks, and does not take that for the end', async () => {
  const path = await created();
  const request = httpRequest(gateway.url + path, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${gateway.apiKey}`, ...PART, 'upload-offset': 0, 'content-length': 10 },
  });
  request.on('error', () => undefined);
  request.write('1234');
  await eventually(() => only()?.body.length === 4);
  request.destroy();
  await eventually(async () => (await head(path)).headers.get('upload-offset') === '4');
  expect(only()?.whole).toBe(false);
});

it('is not completed if the credential was revoked in the meantime', async () => {
  const key = await gateway.newKey();
  const organization = await gateway.context.db.collection('api_keys').findOne({ secret_hash: hashApiKey(key) });
  const businessId = [...gateway.services.businesses.values()].find(
    ({ organizationId }) => organizationId === organization?.['organization_id'],
  )?.id;
  const response = await create({ 'upload-metadata': metadata({ business_id: businessId ?? '' }) }, { key });
  expect(response.status).toBe(201);
  const status = new Promise((resolve) => {
    const request = httpRequest(
      gateway.url + pathOf(response),
      { method: 'PATCH', headers: { authorization: `Bearer ${key}`, ...PART, 'upload-offset': 0, 'content-length': 10 } },
      (response) => resolve(response.resume().statusCode),
    );
    request.write('12345');
    void (async () => {
      await eventually(() => only()?.body.length === 5);
      await gateway.context.db.collection('api_keys').updateOne({ secret_hash: hashApiKey(key) }, { $set: { revoked_at: new Date() } });
      await eventually(async () => (await gateway.call('/api/plan', { key })).status === 401, 10_000);
      request.end('67890');
    })();
  });
  expect(await status).toBe(401);
  await eventually(() => only()?.body.length === 10);
  expect(only()?.whole).toBe(false);
});

it("passes the library's rejection of the whole file on", async () => {
  const path = pathOf(await create({ 'upload-length': '8' }));
  await expectProblem(await patch(path, 0, 'no image'), { status: 400, code: 'invalid_value', param: 'file' });
});

it('permits the web app, and exposes the headers of the protocol', async () => {
  const origin = new URL(gateway.context.config.consoleUrl).origin;
  const preflight = await gateway.call(PATH, {
    method: 'OPTIONS',
    key: null,
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'tus-resumable,upload-offset' },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Tus-Resumable.*Upload-Length.*Upload-Metadata.*Upload-Offset/);
  expect(preflight.headers.get('access-control-allow-methods')).toMatch(/HEAD.*PATCH.*DELETE/);
  const exposed = (await create({ origin })).headers.get('access-control-expose-headers') ?? '';
  for (const name of ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Fanfare-Media-Id']) {
    expect(exposed.split(',')).toContain(name);
  }
});
