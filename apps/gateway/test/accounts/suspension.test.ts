import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { anOrganization, aPerson } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { startSecond, type SecondGateway } from '../two-gateways.ts';

let gateway: RunningGateway;
let second: SecondGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
  second = await startSecond(gateway);
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});

const REJECTED = { status: 403, code: 'permission_denied' };
const suspend = (organizationId: string, reason = 'Unpaid') => gateway.admin.suspendOrganization({ organizationId, reason }, admin);
const restore = (organizationId: string) => gateway.admin.restoreOrganization({ organizationId }, admin);
const aKey = async (organizationId: string) => (await gateway.admin.createApiKey({ organizationId, name: 'test' }, admin)).apiKey;
const auditOf = (organizationId: string) =>
  gateway.context.db
    .collection('audit_entries')
    .find({ organization_id: organizationId, action: /^organization\.(suspended|restored)$/ })
    .sort({ created_at: 1 })
    .toArray();

it('rejects keys and members everywhere within 5 seconds, until the organization is restored', async () => {
  const { organizationId, owner } = await anOrganization(gateway);
  const key = await aKey(organizationId);
  // Both processes have cached the key.
  const paths = ['/api/businesses', '/api/health', '/api/keys', `/api/organizations/${organizationId}`];
  for (const { call } of [gateway, second]) for (const path of paths) expect((await call(path, { key })).status).toBe(200);
  expect((await owner.call('GET', '/api/keys')).status).toBe(200);

  const { organization } = await suspend(organizationId);
  expect(organization).toMatchObject({ id: organizationId, suspendedAt: expect.any(Date), suspensionReason: 'Unpaid' });
  for (const { call } of [gateway, second]) {
    await eventually(async () => (await call('/api/businesses', { key })).status === 403, 5_000);
    for (const path of paths) {
      const problem = await expectProblem(await call(path, { key }), REJECTED);
      expect(problem['detail']).toMatch(/^The organization is suspended/);
    }
  }
  await eventually(async () => (await owner.call('GET', '/api/keys')).status === 403, 5_000);
  for (const path of paths) await expectProblem(await owner.call('GET', path), REJECTED);
  // Their account and sessions still work.
  expect((await owner.call('GET', '/api/me')).status).toBe(200);
  // Others are not affected.
  for (const path of ['/api/businesses', '/api/health']) expect((await gateway.call(path)).status).toBe(200);

  expect((await restore(organizationId)).organization).toMatchObject({ suspendedAt: undefined, suspensionReason: undefined });
  for (const { call } of [gateway, second]) await eventually(async () => (await call('/api/keys', { key })).status === 200, 5_000);
  await eventually(async () => (await owner.call('GET', '/api/keys')).status === 200, 5_000);
});

it('rejects members of another organization too only in the suspended one', async () => {
  const { organizationId } = await anOrganization(gateway);
  const person = await aPerson(gateway);
  const member = { organization_id: organizationId, user_id: person.id, role: 'owner', created_at: new Date() };
  await gateway.context.db.collection('members').insertOne({ _id: newId() as never, ...member });
  const businessId = newId();
  const listed = async () => {
    const { items } = (await (await person.call('GET', '/api/businesses')).json()) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  };
  const [own] = [...gateway.services.businesses.values()];
  gateway.services.businesses.set(businessId, { ...own, id: businessId, organizationId } as never);
  await eventually(async () => (await listed()).includes(businessId));

  await suspend(organizationId);
  await eventually(async () => !(await listed()).includes(businessId), 5_000);
  expect(await listed()).toContain(gateway.businessId);
  await expectProblem(await person.call('GET', `/api/businesses/${businessId}/posts`), REJECTED);
  await expectProblem(await person.call('GET', `/api/keys?organization_id=${organizationId}`), REJECTED);
  expect((await person.call('GET', `/api/businesses/${gateway.businessId}/posts`)).status).toBe(200);
  expect((await person.call('GET', `/api/keys?organization_id=${gateway.organizationId}`)).status).toBe(200);
});

it('pauses deliveries first, and resumes them last', async () => {
  const { organizationId } = await anOrganization(gateway);
  const callsOf = (method: string) => gateway.services.calls.filter((call) => call.method === method).map(({ request }) => request);
  await suspend(organizationId, 'Spam');
  expect(callsOf('putPause').at(-1)).toMatchObject({ organizationId, suspension: true, reason: 'Suspended: Spam' });
  await restore(organizationId);
  expect(callsOf('deletePause').at(-1)).toEqual({ id: `suspension:${organizationId}` });

  // While the publisher is unavailable nothing changes.
  gateway.services.failures.set('putPause', new DomainError('internal_error', 'Unavailable.'));
  await expect(suspend(organizationId)).rejects.toMatchObject({ code: 'internal_error' });
  expect((await gateway.admin.getOrganization({ organizationId }, admin)).organization?.suspendedAt).toBeUndefined();
  // A repeat resumes the paused deliveries.
  await suspend(organizationId);
  gateway.services.failures.set('deletePause', new DomainError('internal_error', 'Unavailable.'));
  await expect(restore(organizationId)).rejects.toMatchObject({ code: 'internal_error' });
  const before = callsOf('deletePause').length;
  await restore(organizationId);
  expect(callsOf('deletePause')).toHaveLength(before + 1);
});

it('is recorded once in the audit log, with the operator, and keeps its time when it is repeated', async () => {
  const { organizationId } = await anOrganization(gateway);
  const first = await suspend(organizationId, 'Unpaid');
  const again = await suspend(organizationId, 'Still unpaid');
  expect(again.organization).toMatchObject({ suspendedAt: first.organization?.suspendedAt, suspensionReason: 'Still unpaid' });
  await restore(organizationId);
  await restore(organizationId);
  expect(await auditOf(organizationId)).toMatchObject([
    { action: 'organization.suspended', actor: 'system:test', target_id: organizationId },
    { action: 'organization.restored', actor: 'system:test', target_id: organizationId },
  ]);
});

it('requires a reason and an existing organization', async () => {
  await expect(suspend(gateway.organizationId, ' ')).rejects.toMatchObject({ code: 'missing_field', param: 'reason' });
  for (const call of [suspend, restore]) await expect(call(newId())).rejects.toMatchObject({ code: 'resource_not_found' });
});

it('lists all organizations, newest first, in pages', async () => {
  const made = [await anOrganization(gateway), await anOrganization(gateway)].map(({ organizationId }) => organizationId);
  const found: string[] = [];
  for (let pageToken = ''; ;) {
    const page = await gateway.admin.listOrganizations({ pageSize: 2, pageToken }, admin);
    expect(page.organizations.length).toBeLessThanOrEqual(2);
    found.push(...page.organizations.map(({ id }) => id));
    pageToken = page.nextPageToken;
    if (pageToken === '') break;
  }
  expect(found.slice(0, 2)).toEqual(made.toReversed());
  expect(found).toContain(gateway.organizationId);
  expect(new Set(found).size).toBe(found.length);
});
