import { eventually } from '@fanfare/testing';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const plan = {
  id: 'silver',
  apiAccess: true,
  requestsPerMinute: 500,
  requestsPerDay: 5000,
  requestsPerWeek: 50_000,
  organizationRequestsPerDay: 12_345,
  userRequestsPerMinute: 7000,
  generatedPostsPerMonth: 4,
  storageFiles: 2,
};
const read = async (path: string, key?: string) => {
  const response = await gateway.call(path, { ...(key !== undefined && { key }), headers: { 'service-version': '2026-08-06' } });
  expect(response.status).toBe(200);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever comes back
  return (await response.json()) as any;
};

describe('GET /api/usage', () => {
  it('counts the requests of the calling key, including this one', async () => {
    await gateway.admin.putPlan({ plan }, admin);
    const key = await gateway.newKey('silver');
    await read('/api/plan', key);
    await read('/api/plan', key);
    const { requests, organization_requests: shared } = await read('/api/usage', key);
    expect(shared.map(({ window, limit }: { window: string; limit: number }) => [window, limit])).toEqual([
      ['minute', 2500],
      ['day', 12_345],
      ['week', 250_000],
    ]);
    expect(shared[1]).toMatchObject({ used: 3, remaining: 12_342 });
    expect(requests).toEqual([
      {
        window: 'minute',
        limit: 500,
        used: expect.any(Number),
        remaining: expect.any(Number),
        resets_at: expect.stringMatching(/:00\.000Z$/),
      },
      { window: 'day', limit: 5000, used: 3, remaining: 4997, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
      { window: 'week', limit: 50_000, used: 3, remaining: 49_997, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
    ]);
    expect(new Date(requests[2].resets_at).getUTCDay()).toBe(1);
  });

  it('returns the used storage of the organization and the storage reserved by open uploads, even if it exceeds a smaller plan', async () => {
    await gateway.admin.putPlan({ plan }, admin);
    const { storage } = await read('/api/usage', await gateway.newKey('silver'));
    expect(storage).toEqual({
      bytes: { limit: 10 * 1024 ** 3, used: 7_000, held: 1_000, remaining: 10 * 1024 ** 3 - 8_000 },
      files: { limit: 2, used: 3, held: 1, remaining: 0 },
    });
  });

  it('returns the limits of the calling user', async () => {
    const [{ id }] = (await read('/api/organizations', await gateway.newKey('silver'))).items;
    const key = await signedIn(gateway, { [id]: 'viewer' });
    expect((await read('/api/usage', key)).requests[0]).toMatchObject({ window: 'minute', limit: 7000 });
  });
});

describe('GET /api/plan', () => {
  it('returns the limits of the organization', async () => {
    await gateway.admin.putPlan({ plan }, admin);
    const key = await gateway.newKey('silver');
    expect(await read('/api/plan', key)).toEqual({
      self: 'https://api.example.com/api/plan',
      id: 'silver',
      api_access: true,
      requests_per_key: { per_minute: 500, per_day: 5000, per_week: 50_000 },
      requests_per_organization: { per_minute: 2500, per_day: 12_345, per_week: 250_000 },
      requests_per_user: { per_minute: 7000, per_day: 20_000, per_week: 80_000 },
      generated_posts_per_month: 4,
      credits_per_month: 200,
      storage: { bytes: 10 * 1024 ** 3, files: 2 },
    });
  });

  it('applies another plan within 5 s', async () => {
    const wide = {
      ...plan,
      id: 'wide',
      organizationRequestsPerDay: undefined,
      requestsPerMinute: 2e6,
      requestsPerDay: 3e6,
      requestsPerWeek: 4e6,
    };
    await gateway.admin.putPlan({ plan: wide }, admin);
    const key = await gateway.newKey();
    const [{ id: organizationId }] = (await read('/api/organizations', key)).items;
    await gateway.admin.setOrganizationPlan({ organizationId, plan: 'wide' }, admin);
    const response = await eventually(async () => {
      const now = await gateway.call('/api/plan', { key });
      return ((await now.json()) as { id: string }).id === 'wide' ? now : undefined;
    });
    expect(response.headers.get('ratelimit-limit')).toBe('2000000');
  });
});

describe('organizations', () => {
  it('are those that the caller belongs to, with their role', async () => {
    const { items, next, self } = await read('/api/organizations');
    expect({ items, next, self }).toEqual({
      items: [{ id: gateway.organizationId, name: 'Bakers', mode: 'test', plan: 'roomy', created_at: expect.any(String), deletion: null }],
      next: null,
      self: 'https://api.example.com/api/organizations',
    });
    const [{ id: second }] = (await read('/api/organizations', await gateway.newKey())).items;
    const user = await signedIn(gateway, { [gateway.organizationId]: 'viewer', [second]: 'owner' });
    const ids = (await read('/api/organizations', user)).items.map((each: { id: string }) => each.id);
    expect(ids).toEqual([second, gateway.organizationId]);
    expect(await read(`/api/organizations/${second.toUpperCase()}`, user)).toMatchObject({ id: second });
  });

  it('are not visible to others', async () => {
    const [{ id: foreign }] = (await read('/api/organizations', await gateway.newKey())).items;
    const missing = { status: 404, code: 'resource_not_found' };
    for (const id of [foreign, 'nothing']) {
      await expectProblem(await gateway.call(`/api/organizations/${id}`), missing);
      const init = { method: 'PATCH', body: '{"name":"Mine"}', headers: { 'content-type': 'application/json' } };
      await expectProblem(await gateway.call(`/api/organizations/${id}`, init), missing);
    }
  });

  it('are renamed by their admins, unless they have changed in the meantime', async () => {
    const key = await gateway.newKey();
    const [{ id }] = (await read('/api/organizations', key)).items;
    const rename = (body: object, headers: Record<string, string> = {}, as = key) =>
      gateway.call(`/api/organizations/${id}`, {
        key: as,
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const etag = (await gateway.call(`/api/organizations/${id}`, { key })).headers.get('etag')!;
    const renamed = await rename({ name: '$name' }, { 'if-match': etag });
    expect([renamed.status, await renamed.json()]).toEqual([200, expect.objectContaining({ id, name: '$name' })]);
    expect(renamed.headers.get('etag')).not.toBe(etag);
    expect((await read(`/api/organizations/${id}`, key)).name).toBe('$name');
    await expectProblem(await rename({ name: 'Late' }, { 'if-match': etag }), { status: 412, code: 'precondition_failed' });
    await expectProblem(await rename({}), { status: 400, code: 'invalid_request' });
    for (const name of [' ', 'See www.evil.example', 'Two\nlines', 'x'.repeat(201)]) {
      await expectProblem(await rename({ name }), { status: 422, code: 'validation_failed', param: 'name' });
    }

    const editor = await signedIn(gateway, { [id]: 'editor' });
    await expectProblem(await rename({ name: 'Editor' }, {}, editor), { status: 403, code: 'permission_denied' });
    const admins = await signedIn(gateway, { [id]: 'admin' });
    expect((await rename({ name: 'Admin' }, {}, admins)).status).toBe(200);

    const { items } = (await read('/api/audit?action=organization.renamed', key)) as { items: { details: object }[] };
    expect(items.map(({ details }) => details)).toEqual([
      { from: '$name', to: 'Admin' },
      { from: 'Bakers', to: '$name' },
    ]);
  });
});
