import { newId } from '@fanfare/runtime';
import { recordAudit } from '../../src/accounts/audit/audit.ts';
import type { AuditEntryDocument } from '../../src/accounts/store/audit-entries.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

interface Entry {
  id: string;
  created_at: string;
  action: string;
  actor: { type: string; id: string | null; name: string | null };
  target: { type: string; id: string } | null;
  details: Record<string, string>;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}
const list = async (query = '', init: { key?: string } = {}) => {
  const response = await gateway.call(`/api/audit${query}`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as { items: Entry[]; next: string | null };
};

describe('GET /api/audit', () => {
  it('returns who did what, to which resource, when and from where', async () => {
    const before = Date.now();
    const made = await gateway.post('/api/keys', { name: 'Build server' }, { 'user-agent': 'curl/8 (<b>)' });
    const { id, secret, created_by } = (await made.json()) as { id: string; secret: string; created_by: Entry['actor'] };
    const response = await gateway.post(`/api/keys/${id}/rotate`, { overlap_seconds: 60 });
    const rotated = (await response.json()) as { id: string };
    await gateway.call(`/api/keys/${id}`, { method: 'DELETE' });

    const { items } = await list('?limit=3');
    expect(items.map(({ action }) => action)).toEqual(['key.revoked', 'key.rotated', 'key.created']);
    expect(items[1]).toMatchObject({ target: { type: 'key', id }, details: { new_key_id: rotated.id, overlap_seconds: '60' } });
    expect(items[2]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      action: 'key.created',
      actor: created_by,
      target: { type: 'key', id },
      details: { name: 'Build server' },
      ip: '127.0.0.1',
      user_agent: 'curl/8 (<b>)',
      request_id: made.headers.get('x-request-id'),
    });
    expect(created_by).toEqual({ type: 'key', id: expect.any(String), name: 'test' });
    expect(new Date(items[2]!.created_at).getTime()).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(items)).not.toContain(secret.slice(8));
  });

  it('filters and pages', async () => {
    const { organizationId } = gateway;
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const entries = gateway.context.db.collection<AuditEntryDocument>('audit_entries');
    const entry = { organization_id: organizationId, details: {}, request_id: 'r' };
    await entries.insertMany(
      Array.from({ length: 10 }, (_, n) => ({
        ...entry,
        _id: newId(),
        action: n % 2 ? 'member.invited' : 'member.removed',
        actor: n < 5 ? 'user:ann' : 'user:bob',
        created_at: at(n + 1),
      })),
    );
    const days = ({ items }: { items: Entry[] }) => items.map(({ created_at }) => Number(created_at.slice(8, 10)));
    expect(days(await list('?action=member.invited'))).toEqual([10, 8, 6, 4, 2]);
    expect(days(await list('?actor=user:ann&from=2026-01-02T00:00:00Z&to=2026-01-05'.concat('T00:00:00Z')))).toEqual([4, 3, 2]);
    expect(days(await list('?actor=user:ann&action=member.removed'))).toEqual([5, 3, 1]);
    expect(days(await list('?action=member.cloned'))).toEqual([]);

    const first = await list('?action=member.invited&limit=2');
    const second = await list(`?action=member.invited&limit=2&cursor=${first.next}`);
    const third = await list(`?action=member.invited&limit=2&cursor=${second.next}`);
    expect([first, second, third].map(days)).toEqual([[10, 8], [6, 4], [2]]);
    expect(third.next).toBeNull();
    const foreign = await gateway.call(`/api/audit?action=member.removed&limit=2&cursor=${first.next}`);
    await expectProblem(foreign, { status: 400, code: 'invalid_request', param: 'cursor' });
  });

  it.each([
    ['action=nonsense', 'action', 'invalid_value'],
    ['action=a.b&action=c.d', 'action', 'invalid_value'],
    ['actor=ann', 'actor', 'invalid_value'],
    ['from=yesterday', 'from', 'invalid_request'],
    ['to=2026-02-30T00:00:00Z', 'to', 'invalid_request'],
    ['organization_id=1', 'organization_id', 'invalid_value'],
  ])('rejects %s', async (query, param, code) => {
    await expectProblem(await gateway.call(`/api/audit?${query}`), { status: 400, code, param });
  });

  it('contains no entries of other organizations, nor entries without one', async () => {
    const key = await gateway.newKey();
    const entry = { actor: 'anonymous', action: 'session.sign_in_failed', request: { requestId: 'r' } };
    await recordAudit(gateway.context, { ...entry, organizationId: null });
    const { items } = await list('', { key });
    expect(items.map(({ action }) => action)).toEqual(['key.created']);
    expect((await list('?limit=100')).items.map(({ action }) => action)).not.toContain('session.sign_in_failed');
  });

  it.each([
    ['owner', 200],
    ['admin', 200],
    ['editor', 403],
    ['viewer', 403],
  ] as const)('for the role %s the status is %i', async (role, status) => {
    const key = await signedIn(gateway, { [gateway.organizationId]: role });
    expect((await gateway.call('/api/audit', { key })).status).toBe(status);
  });
});

it('stores the name of that time, and each entry once', async () => {
  const { organizationId } = gateway;
  const { id } = (await (await gateway.post('/api/keys', { name: 'Old name' })).json()) as { id: string };
  const entry = {
    id: newId(),
    organizationId,
    actor: `key:${id}`,
    action: 'test.done',
    request: { requestId: 'r', userAgent: 'x'.repeat(9_999) },
  };
  await recordAudit(gateway.context, entry);
  await gateway.context.db.collection('api_keys').updateOne({ _id: id as never }, { $set: { name: 'New name' } });
  await recordAudit(gateway.context, entry);
  const { items } = await list('?action=test.done');
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ actor: { type: 'key', id, name: 'Old name' }, target: null, ip: null });
  expect(items[0]!.user_agent).toHaveLength(500);
});

it('deletes entries after 400 days', async () => {
  const indexes = await gateway.context.db.collection('audit_entries').indexes();
  expect(indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toMatchObject({
    key: { created_at: 1 },
    expireAfterSeconds: 400 * 24 * 60 * 60,
  });
});

describe('plans', () => {
  const plan = {
    id: 'silver',
    apiAccess: true,
    requestsPerMinute: 500,
    requestsPerDay: 5000,
    requestsPerWeek: 50_000,
    generatedPostsPerMonth: 4,
  };

  it('record a change in the audit log of each organization that has the plan', async () => {
    await gateway.admin.putPlan({ plan }, admin);
    const key = await gateway.newKey('silver');
    await gateway.admin.putPlan({ plan: { ...plan, requestsPerMinute: 600, userRequestsPerDay: 7 } }, admin);
    await gateway.admin.putPlan({ plan: { ...plan, requestsPerMinute: 600, userRequestsPerDay: 7 } }, admin);
    const { items } = await list('?action=plan.changed', { key });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      actor: { type: 'system', id: null },
      target: { type: 'plan', id: 'silver' },
      details: { requests_per_minute: '500 → 600', user_requests_per_day: 'default → 7' },
    });
    expect((await list('?action=plan.changed')).items).toEqual([]);
  });

  it('are listed and assigned to organizations by operators', async () => {
    await gateway.admin.putPlan({ plan }, admin);
    const { plans } = await gateway.admin.listPlans({}, admin);
    expect(plans.map(({ id }) => id)).toEqual(expect.arrayContaining(['anonymous', 'default', 'silver']));
    expect(plans.find(({ id }) => id === 'silver')).toEqual(plan);

    const key = await gateway.newKey();
    const [{ id: organizationId }] = ((await (await gateway.call('/api/organizations', { key })).json()) as { items: [{ id: string }] })
      .items;
    const { organization } = await gateway.admin.setOrganizationPlan({ organizationId, plan: 'silver' }, admin);
    expect(organization).toMatchObject({ id: organizationId, plan: 'silver' });
    await gateway.admin.setOrganizationPlan({ organizationId, plan: 'silver' }, admin);
    const { items } = await list('?action=organization.plan_changed', { key });
    expect(items.map(({ details }) => details)).toEqual([{ from: 'roomy', to: 'silver' }]);

    await expect(gateway.admin.setOrganizationPlan({ organizationId, plan: 'gold' }, admin)).rejects.toMatchObject({
      code: 'invalid_value',
    });
    await expect(gateway.admin.setOrganizationPlan({ organizationId: 'x', plan: 'silver' }, admin)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });
});
