import { newId } from '@fanfare/runtime';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const given = { url: 'https://example.com/hooks', events: ['post.*'] };
const create = (more: object = {}) => gateway.post('/api/webhooks', { ...given, ...more });
const created = async () => ((await (await create()).json()) as { id: string }).id;
const update = (id: string, body: object) =>
  gateway.call(`/api/webhooks/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

describe('a webhook endpoint', () => {
  test.each([
    [{ headers: { 'X A': '1' } }, 'headers', 'headers has "X A", which cannot be the name of a header.'],
    [{ headers: { 'X-A': 'ü' } }, 'headers.X-A', /visible ASCII characters/],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, '1'])) }, 'headers', /at most 20 headers/],
    [{ events: ['post.*', 'post.exploded'] }, 'events.1', /^events\.1 "post\.exploded" is no event type, and no pattern/],
    [{ events: ['account.*'] }, 'events.0', /statistics must be named: account\.stats/],
    [{ platforms: ['myspace'] }, 'platforms.0', /./],
    [{ rate_limit_per_second: 0 }, 'rate_limit_per_second', /at least 1/],
  ])('cannot be created with %j', async (more, param, detail) => {
    const problem = await expectProblem(await create(more), { status: 422, code: 'validation_failed', param });
    expect(problem.detail).toMatch(detail);
  });

  test('selects only businesses of its organization, and the error names which is not', async () => {
    const with2 = (second: string) => create({ business_ids: [gateway.businessId, second] });
    await expectProblem(await with2(gateway.foreignBusinessId), { status: 403, code: 'permission_denied', param: 'business_ids.1' });
    await expectProblem(await with2(newId()), { status: 404, code: 'resource_not_found', param: 'business_ids.1' });
  });

  test('has a selection without duplicates', async () => {
    const body = (await (
      await create({ events: ['post.*', 'post.*'], business_ids: [gateway.businessId, gateway.businessId] })
    ).json()) as object;
    expect(body).toMatchObject({ events: ['post.*'], business_ids: [gateway.businessId] });
  });

  test('is not changed by an empty update', async () => {
    await expectProblem(await update(await created(), {}), { status: 400, code: 'invalid_request' });
  });

  test('has another ETag when it begins to fail, and If-Match still accepts the former one', async () => {
    const id = await created();
    const read = () => gateway.call(`/api/webhooks/${id}`);
    const before = (await read()).headers.get('etag')!;
    const stored = gateway.services.feed.endpoints.get(id)!;
    gateway.services.feed.endpoints.set(id, { ...stored, failingSince: new Date() });
    expect((await read()).headers.get('etag')).not.toBe(before);
    const headers = { 'content-type': 'application/json', 'if-match': before };
    const changed = await gateway.call(`/api/webhooks/${id}`, { method: 'PATCH', body: '{"enabled":false}', headers });
    expect(changed.status).toBe(200);
  });
});
