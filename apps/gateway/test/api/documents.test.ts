import { File, FileMedia } from '@fanfare/contracts/library/documents';
import { newId } from '@fanfare/runtime';
import { AT } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

const MIB = 1 << 20;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = gateway.apiKey) =>
  gateway.call(path, {
    method,
    key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
const times = { created_at: AT.toISOString(), updated_at: AT.toISOString() };
const current = { 'service-version': '2026-08-06' };
const pathTo = (collection: string, id = '') => `/api/businesses/${gateway.businessId}/${collection}${id === '' ? '' : `/${id}`}`;

describe.each([
  ['files', 'File', 'PUT', { name: 'voice.md', content: '# Voice' }, { name: 'voice.md', body_text: '# Voice', media: [] }],
  ['folders', 'Folder', 'PATCH', { name: 'Brand' }, { name: 'Brand' }],
] as const)('%s', (collection, kind, updating, given, shown) => {
  const pathOf = (id = '') => pathTo(collection, id);
  const create = async () => ((await (await send('POST', pathOf(), given)).json()) as { id: string }).id;
  const full = (id: string) => ({ id, business_id: gateway.businessId, ...times, ...shown, path: `/${given.name}`, parent_id: null });

  it('are created, with a Location', async () => {
    const response = await send('POST', pathOf(), given, current);
    const body = (await response.json()) as { id: string };
    expect(response.status).toBe(201);
    expect(body).toEqual(full(body.id));
    expect(response.headers.get('location')).toBe(`https://api.example.com${pathOf(body.id)}`);
    expect(response.headers.get('etag')).toMatch(/^"1-\d+\.2026-08-06"$/);
  });

  it('are created once for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await (await send('POST', pathOf(), given, key)).json();
    const again = await send('POST', pathOf(), given, key);
    expect([await again.json(), again.headers.get('idempotency-replayed')]).toEqual([first, 'true']);
    await expectProblem(await send('POST', pathOf(), { ...given, name: 'other' }, key), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
  });

  it('are created in the given folder, or in the root', async () => {
    const parent_id = newId();
    await send('POST', pathOf(), { ...given, parent_id: parent_id.toUpperCase() });
    expect(lastCall(`create${kind}`)?.request).toMatchObject({ parentId: parent_id });
    await send('POST', pathOf(), { ...given, parent_id: null });
    expect(lastCall(`create${kind}`)?.request).toHaveProperty('parentId', undefined);

    const id = await create();
    await send(updating, pathOf(id), { parent_id });
    expect(lastCall(`update${kind}`)?.request).toMatchObject({ parentId: parent_id });
    await send(updating, pathOf(id), { parent_id: null });
    expect(lastCall(`update${kind}`)?.request).toMatchObject({ parentId: '' });
    for (const [method, path] of [
      ['POST', pathOf()],
      [updating, pathOf(id)],
    ] as const) {
      const response = await send(method, path, { ...given, parent_id: 'root' });
      await expectProblem(response, { status: 400, code: 'invalid_value', param: 'parent_id' });
    }
  });

  it('are listed by folder, with the URL of the page', async () => {
    const id = await create();
    const folderId = newId();
    const page = `${pathOf()}?folder_id=${folderId}&limit=7&cursor=abc`;
    const list = await (await send('GET', page, undefined, current)).json();
    expect(list).toMatchObject({ self: `https://api.example.com${page}` });
    expect((list as { items: object[] }).items).toContainEqual(full(id));
    expect(lastCall(`list${kind}s`)?.request).toEqual({ folderId, pageSize: 7, pageToken: 'abc' });
    for (const root of [pathOf(), `${pathOf()}?folder_id=null`]) {
      await send('GET', root);
      expect(lastCall(`list${kind}s`)?.request).toEqual({ pageSize: 20, pageToken: '' });
    }
    for (const bad of ['123', '', `${folderId}&folder_id=${folderId}`]) {
      const response = await send('GET', `${pathOf()}?folder_id=${bad}`);
      await expectProblem(response, { status: 400, code: 'invalid_value', param: 'folder_id' });
    }
  });

  it('are read, changed and deleted, at the revision of If-Match', async () => {
    const id = await create();
    const read = await send('GET', pathOf(id), undefined, current);
    const etag = read.headers.get('etag') ?? '';
    expect(await read.json()).toEqual({ self: `https://api.example.com${pathOf(id)}`, ...full(id) });
    expect((await gateway.call(pathOf(id), { headers: { ...current, 'if-none-match': etag } })).status).toBe(304);

    const changed = await send(updating, pathOf(id), { name: 'New' }, { ...current, 'if-match': etag });
    expect(await changed.json()).toMatchObject({ self: `https://api.example.com${pathOf(id)}`, name: 'New', path: '/New' });
    expect(lastCall(`update${kind}`)?.request).toMatchObject({ expectedRevisions: [1], name: 'New' });

    const ifMatch = { 'if-match': changed.headers.get('etag') ?? '' };
    const deleted = await send('DELETE', pathOf(id), undefined, { ...current, ...ifMatch });
    expect([deleted.status, await deleted.json()]).toEqual([200, { status: 'deleted' }]);
    expect(lastCall(`delete${kind}`)?.request).toMatchObject({ expectedRevisions: [2] });
  });

  it('reject an empty change', async () => {
    await expectProblem(await send(updating, pathOf(await create()), {}), { status: 400, code: 'invalid_request' });
  });

  it('that do not exist are not found, and ids are UUIDs', async () => {
    for (const [method, body] of [['GET'], [updating, given], ['DELETE']] as const) {
      await expectProblem(await send(method, pathOf(newId()), body), { status: 404, code: 'resource_not_found' });
      const param = `${kind.toLowerCase()}_id`;
      await expectProblem(await send(method, pathOf('123'), body), { status: 400, code: 'invalid_value', param });
    }
  });

  it('need a name of 1 to 255 characters in NFC', async () => {
    await expectProblem(await send('POST', pathOf(), {}), { status: 400, code: 'missing_field', param: 'name' });
    for (const name of ['', 'x'.repeat(256), 'x'.repeat(10_000), '\ud800', null]) {
      await expectProblem(await send('POST', pathOf(), { name }), { status: 422, code: 'validation_failed', param: 'name' });
    }
    await send('POST', pathOf(), { name: 'e\u0301'.repeat(255) });
    expect(lastCall(`create${kind}`)?.request).toMatchObject({ name: 'é'.repeat(255) });
  });

  it('are read by viewers, and written by editors', async () => {
    const id = await create();
    const viewer = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
    const editor = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    for (const [method, path, body] of [
      ['POST', pathOf(), given],
      [updating, pathOf(id), given],
      ['DELETE', pathOf(id), undefined],
    ] as const) {
      await expectProblem(await send(method, path, body, {}, viewer), { status: 403, code: 'permission_denied' });
      expect((await send(method, path, body, {}, editor)).ok).toBe(true);
    }
    expect((await send('GET', pathOf(), undefined, {}, viewer)).status).toBe(200);
  });

  it('pass the storage limits of the plan on with every change', async () => {
    await create();
    expect(lastCall(`create${kind}`)?.metadata.storageLimits).toMatch(/^\d+\/\d+$/);
  });
});

describe('the text of a file', () => {
  it.each([
    ['empty', ''],
    ['with line ends of every kind', 'a\r\nb\rc\n'],
    ['with NUL', 'a\0b'],
    ['with emoji and a dollar sign', '$set 🍞'],
    ['called __proto__', '__proto__'],
  ])('is stored and returned unchanged: %s', async (_what, content) => {
    const response = await send('POST', pathTo('files'), { name: 'a.md', content });
    expect(await response.json()).toMatchObject({ body_text: content });
    expect(lastCall('createFile')?.request).toMatchObject({ content });
  });

  it('can have up to 8 MiB, however it is escaped', async () => {
    const content = 'é'.repeat(4 * MIB);
    const headers = { 'content-type': 'application/json' };
    const escaped = `{"name":"a.md","content":"${'\\u00e9'.repeat(4 * MIB)}"}`;
    for (const body of [JSON.stringify({ name: 'a.md', content }), escaped]) {
      const response = await gateway.call(pathTo('files'), { method: 'POST', headers, body });
      const made = (await response.json()) as { id: string; body_text: string };
      expect([response.status, made.body_text === content]).toEqual([201, true]);
    }
    const { id } = (await (await send('POST', pathTo('files'), { name: 'a.md' })).json()) as { id: string };
    const rejected = { status: 413, code: 'payload_too_large', param: 'content' };
    await expectProblem(await send('POST', pathTo('files'), { name: 'a.md', content: `${content}x` }), rejected);
    await expectProblem(await send('PUT', pathTo('files', id), { content: `${content}x` }), rejected);
    expect((await send('PUT', pathTo('files', id), { content })).status).toBe(200);
  });

  it('of 8 MiB is created once for an Idempotency-Key, though its response is too large to be stored', async () => {
    const key = { 'idempotency-key': newId() };
    const given = { name: 'big.md', content: 'x'.repeat(8 * MIB) };
    const [first, again] = [await send('POST', pathTo('files'), given, key), await send('POST', pathTo('files'), given, key)];
    const ids = [await first.json(), await again.json()].map((made) => (made as { id: string }).id);
    expect(ids[1]).toBe(ids[0]);
    await expectProblem(await send('POST', pathTo('files'), { name: 'big.md' }, key), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
  });
});

test('a file shows its media; its ETag changes with them, and still permits a change', async () => {
  const { id } = (await (await send('POST', pathTo('files'), { name: 'a.md' })).json()) as { id: string };
  const before = await send('GET', pathTo('files', id));
  const media = FileMedia.fromPartial({
    id: newId(),
    businessId: gateway.businessId,
    createdAt: AT,
    type: 'image',
    width: 3,
    height: 2,
    source: 'upload',
  });
  const file = File.fromPartial({
    id,
    businessId: gateway.businessId,
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
    name: 'a.md',
    path: '/a.md',
  });
  gateway.services.documents.files.set(id, { ...file, mediaIds: [media.id], media: [media] });

  const etag = before.headers.get('etag') ?? '';
  const after = await gateway.call(pathTo('files', id), { headers: { 'if-none-match': etag } });
  expect(after.status).toBe(200);
  expect(await after.json()).toMatchObject({
    media: [
      {
        id: media.id,
        business_id: gateway.businessId,
        created_at: AT.toISOString(),
        alt_text: '',
        original_url: null,
        type: 'image',
        width: 3,
        height: 2,
        source: 'upload',
      },
    ],
  });
  await send('PUT', pathTo('files', id), { name: 'b.md' }, { 'if-match': etag });
  expect(lastCall('updateFile')?.request).toMatchObject({ expectedRevisions: [1] });
});
