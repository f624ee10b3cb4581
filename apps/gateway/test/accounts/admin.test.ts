import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { DEFAULT_PLAN } from '../../src/accounts/store/plans.ts';
import { admin, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const rejection = (code: string, param: string) => expect.objectContaining({ code, param }) as unknown;

describe('AdminService', () => {
  it('returns the default plan of the specification', async () => {
    expect(await gateway.context.db.collection('plans').findOne({ _id: 'default' as never })).toEqual({
      _id: 'default',
      api_access: true,
      requests_per_minute: 100,
      requests_per_day: 2000,
      requests_per_week: 10000,
      user_requests_per_minute: 600,
      user_requests_per_day: 20000,
      user_requests_per_week: 80000,
      generated_posts_per_month: 200,
      credits_per_month: 200,
      storage_bytes: 10_737_418_240,
      storage_files: 10_000,
    });
  });

  it('creates organizations with the default plan, in live mode by default', async () => {
    const { organization } = await gateway.admin.createOrganization(
      { name: ' Bakers ', plan: '', mode: 'ORGANIZATION_MODE_UNSPECIFIED' },
      admin,
    );
    expect(organization).toMatchObject({ name: 'Bakers', plan: DEFAULT_PLAN._id, mode: 'ORGANIZATION_MODE_LIVE' });
    const key = await gateway.admin.createApiKey({ organizationId: organization?.id ?? '', name: 'ci' }, admin);
    expect(key.apiKey).toMatch(/^fk_live_[\w-]{43}$/);
    expect((await gateway.call('/api/businesses', { key: key.apiKey })).status).toBe(200);
  });

  it('returns existing organizations only', async () => {
    const { organization } = await gateway.admin.getOrganization({ organizationId: gateway.organizationId }, admin);
    expect(organization).toMatchObject({ id: gateway.organizationId, name: 'Bakers' });
    for (const organizationId of [newId(), '', 'nonsense']) {
      await expect(gateway.admin.getOrganization({ organizationId }, admin)).rejects.toMatchObject({ code: 'resource_not_found' });
    }
  });

  it('returns a secret once and stores only its hash', async () => {
    const { id, apiKey } = await gateway.admin.createApiKey({ organizationId: gateway.organizationId, name: 'ci' }, admin);
    expect(apiKey).toMatch(/^fk_test_[\w-]{43}$/);
    const stored = await gateway.context.db.collection('api_keys').findOne({ _id: id as never });
    expect(stored).toMatchObject({ name: 'ci', secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/), hint: apiKey.slice(-4) });
    expect(JSON.stringify(stored)).not.toContain(apiKey.slice(8, 40));
  });

  it('replaces a plan, with effect on existing keys', async () => {
    const plan = {
      id: 'trial',
      apiAccess: true,
      requestsPerMinute: 1_000,
      requestsPerDay: 2_000,
      requestsPerWeek: 3_000,
      generatedPostsPerMonth: 4,
    };
    expect(await gateway.admin.putPlan({ plan }, admin)).toEqual({ plan });
    const key = await gateway.newKey('trial');
    expect((await gateway.call('/api/businesses', { key })).status).toBe(200);
    await gateway.admin.putPlan({ plan: { ...plan, apiAccess: false } }, admin);
    await eventually(async () => (await gateway.call('/api/businesses', { key })).status === 403);
  });

  it('creates users with unique addresses', async () => {
    const user = { organizationId: gateway.organizationId, email: 'Baker@Example.com', name: 'Baker', role: 'owner' };
    expect((await gateway.admin.createUser(user, admin)).user).toMatchObject({ email: 'baker@example.com', role: 'owner' });
    await expect(gateway.admin.createUser(user, admin)).rejects.toEqual(rejection('invalid_value', 'email'));
    await expect(gateway.admin.createUser({ ...user, email: 'baker' }, admin)).rejects.toEqual(rejection('invalid_value', 'email'));
    await expect(gateway.admin.createUser({ ...user, role: 'king' }, admin)).rejects.toEqual(rejection('invalid_value', 'role'));
  });

  it('names invalid parameters', async () => {
    const organizationId = 'nobody';
    await expect(gateway.admin.createApiKey({ organizationId, name: 'x' }, admin)).rejects.toEqual(
      rejection('invalid_value', 'organization_id'),
    );
    await expect(gateway.admin.createApiKey({ organizationId, name: ' ' }, admin)).rejects.toEqual(rejection('missing_field', 'name'));
    const linked = { name: 'Pay at https://evil.example', plan: '', mode: 'ORGANIZATION_MODE_TEST' } as const;
    await expect(gateway.admin.createOrganization(linked, admin)).rejects.toEqual(rejection('invalid_value', 'name'));
    const unknownPlan = { name: 'x', plan: 'gold', mode: 'ORGANIZATION_MODE_TEST' } as const;
    await expect(gateway.admin.createOrganization(unknownPlan, admin)).rejects.toEqual(rejection('invalid_value', 'plan'));
    await expect(gateway.admin.putPlan({ plan: undefined }, admin)).rejects.toEqual(rejection('missing_field', 'plan'));
  });
});
