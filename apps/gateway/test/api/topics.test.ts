import { newId } from '@fanfare/runtime';
import { AT } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

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

describe.each([
  ['topics', 'Topic', { title: 'Rye bread' }, { body: '', enabled: true, category_id: null }, 'title'],
  ['categories', 'Category', { name: 'Bread' }, {}, 'name'],
] as const)('%s', (collection, kind, given, rest, required) => {
  const pathOf = (id = '') => `/api/businesses/${gateway.businessId}/${collection}${id === '' ? '' : `/${id}`}`;
  const create = async () => ((await (await send('POST', pathOf(), given)).json()) as { id: string }).id;

  it('are created, with a Location in every version', async () => {
    for (const version of ['2026-04-08', '2026-08-06']) {
      const response = await send('POST', pathOf(), given, { 'service-version': version });
      const body = (await response.json()) as { id: string };
      expect(response.status).toBe(201);
      expect(body).toEqual({ id: body.id, business_id: gateway.businessId, ...times, ...given, ...rest });
      expect(response.headers.get('location')).toBe(`https://api.example.com${pathOf(body.id)}`);
    }
  });

  it('are created once for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await (await send('POST', pathOf(), given, key)).json();
    expect(await (await send('POST', pathOf(), given, key)).json()).toEqual(first);
    await expectProblem(await send('POST', pathOf(), { ...given, [required]: 'Other' }, key), {
      status: 422,
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    });
  });

  it('are read and listed, with their URL in versions with self links', async () => {
    const id = await create();
    const read = await send('GET', pathOf(id), undefined, current);
    expect(read.headers.get('etag')).toBe('"1.2026-08-06"');
    expect(await read.json()).toEqual({
      self: `https://api.example.com${pathOf(id)}`,
      id,
      business_id: gateway.businessId,
      ...times,
      ...given,
      ...rest,
    });
    expect((await gateway.call(pathOf(id), { headers: { ...current, 'if-none-match': '"1.2026-08-06"' } })).status).toBe(304);
    const list = await (await send('GET', `${pathOf()}?limit=7&cursor=abc`, undefined, current)).json();
    expect(list).toMatchObject({ self: `https://api.example.com${pathOf()}?limit=7&cursor=abc` });
    expect((list as { items: object[] }).items).toContainEqual({ id, business_id: gateway.businessId, ...times, ...given, ...rest });
    expect(lastCall(collection === 'topics' ? 'listTopics' : 'listCategories')?.request).toEqual({ pageSize: 7, pageToken: 'abc' });
  });

  it('are changed and deleted at the revision of If-Match', async () => {
    const id = await create();
    const changed = await send('PATCH', pathOf(id), { [required]: 'New' }, { ...current, 'if-match': '"1.2026-08-06"' });
    expect(changed.headers.get('etag')).toBe('"2.2026-08-06"');
    expect(await changed.json()).toMatchObject({ self: `https://api.example.com${pathOf(id)}`, [required]: 'New' });
    expect(lastCall(`update${kind}`)?.request).toMatchObject({ expectedRevisions: [1], [required]: 'New' });

    const deleted = await send('DELETE', pathOf(id), undefined, { ...current, 'if-match': '"2.2026-08-06"' });
    expect([deleted.status, await deleted.json()]).toEqual([200, { status: 'deleted' }]);
    expect(lastCall(`delete${kind}`)?.request).toMatchObject({ expectedRevisions: [2] });
  });

  it('that do not exist are not found', async () => {
    for (const [method, body] of [['GET'], ['PATCH', given], ['DELETE']] as const) {
      await expectProblem(await send(method, pathOf(newId()), body), { status: 404, code: 'resource_not_found' });
    }
  });

  it.each([[' '], [''], [null], ['x'.repeat(301)]])(`reject an invalid ${required}: %j`, async (value) => {
    const rejection = { status: 422, code: 'validation_failed', param: required };
    await expectProblem(await send('POST', pathOf(), { [required]: value }), rejection);
    await expectProblem(await send('PATCH', pathOf(newId()), { [required]: value }), rejection);
  });

  it(`need a ${required}`, async () => {
    await expectProblem(await send('POST', pathOf(), {}), { status: 400, code: 'missing_field', param: required });
  });

  it('are read by viewers, and written by editors', async () => {
    const id = await create();
    const viewer = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
    const editor = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    for (const [method, path, body] of [
      ['POST', pathOf(), given],
      ['PATCH', pathOf(id), given],
      ['DELETE', pathOf(id), undefined],
    ] as const) {
      await expectProblem(await send(method, path, body, {}, viewer), { status: 403, code: 'permission_denied' });
      expect((await send(method, path, body, {}, editor)).ok).toBe(true);
    }
    expect((await send('GET', pathOf(), undefined, {}, viewer)).status).toBe(200);
  });
});

test('a topic_id must be a UUID; a category_id is any string', async () => {
  const base = `/api/businesses/${gateway.businessId}`;
  for (const [method, body] of [['GET'], ['PATCH', { title: 'T' }], ['DELETE']] as const) {
    await expectProblem(await send(method, `${base}/topics/123`, body), { status: 400, code: 'invalid_value', param: 'topic_id' });
  }
  await expectProblem(await gateway.call(`${base}/categories/123`), { status: 404, code: 'resource_not_found' });
});

test('a change distinguishes absent, null and given fields', async () => {
  const base = `/api/businesses/${gateway.businessId}/topics`;
  const { id } = (await (await send('POST', base, { title: 'T', body: 'B', enabled: false, category_id: 'c' })).json()) as { id: string };
  expect(lastCall('createTopic')?.request).toMatchObject({ title: 'T', body: 'B', enabled: false, categoryId: 'c' });
  await send('PATCH', `${base}/${id}`, { category_id: null });
  expect(lastCall('updateTopic')?.request).toEqual({
    operationId: expect.any(String) as string,
    topicId: id,
    expectedRevisions: [],
    categoryId: '',
  });
  await send('PATCH', `${base}/${id}`, { body: '', enabled: false, category_id: 'd' });
  expect(lastCall('updateTopic')?.request).toMatchObject({ body: '', enabled: false, categoryId: 'd' });
});
