import { DomainError } from '@fanfare/errors';
import { CANARY, newId } from '@fanfare/runtime';
import { copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { findDeletion } from '../../src/accounts/store/deletions.ts';
import { findUser } from '../../src/accounts/store/users.ts';
import { aBusiness } from '../values.ts';
import { anOrganization, aPerson, mailsTo, SIGNED_OUT } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { startSecond } from '../two-gateways.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

const DAY_MS = 24 * 60 * 60_000;
const CONFLICT = { status: 409, code: 'conflict' };
const DENIED = { status: 403, code: 'permission_denied' };
const NOT_FOUND = { status: 404, code: 'resource_not_found' };
const SERVICES = ['publisher', 'generation', 'content', 'library', 'analytics', 'webhooks'];

interface Deleting {
  readonly id: string;
  readonly deletion: { readonly requested_at: string; readonly final_at: string } | null;
}

const json = async (response: Response) => (await response.json()) as Deleting;
/** Only the fake services of this file record calls: of one business or organization, the requests of a method. */
const requestsOf = (method: string, id: string) =>
  gateway.services.calls
    .filter((call) => call.method === method && JSON.stringify(call.request).includes(id))
    .map(({ request }) => request);
const finish = (id: string) => gateway.admin.expediteDeletion({ id, reason: 'A test' }, admin);
const deletionOf = async (id: string) =>
  (await gateway.admin.listDeletions({ pageSize: 100 }, admin)).deletions.find((deletion) => deletion.id === id);
const untilErased = (id: string) => eventually(async () => (await deletionOf(id))?.state === 'DELETION_STATE_ERASED');
const actionsOf = async (organizationId: string) =>
  (await gateway.context.db.collection('audit_entries').find({ organization_id: organizationId }).sort({ created_at: 1, _id: 1 }).toArray())
    .map(({ action }) => String(action))
    .filter((action) => /delet/.test(action));

async function made() {
  const people = await anOrganization(gateway);
  const businessId = newId();
  gateway.services.businesses.set(businessId, aBusiness({ id: businessId, name: 'Bakery', organizationId: people.organizationId }));
  const key = (await gateway.admin.createApiKey({ organizationId: people.organizationId, name: 'test' }, admin)).apiKey;
  return { ...people, businessId, key, path: `/api/businesses/${businessId}` };
}

describe('a business', () => {
  it('stops publishing at once, can be read, not changed, and is restored as it was', async () => {
    const { manager, viewer, owner, businessId, organizationId, path, key } = await made();
    const response = await manager.call('DELETE', path);
    const accepted = await json(response);
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toMatch(new RegExp(`${path}$`));
    expect(accepted).toMatchObject({
      id: businessId,
      deletion: { requested_by: { type: 'user', id: manager.id }, published_posts: 'stay_on_platforms' },
    });
    const { requested_at = '', final_at = '' } = accepted.deletion ?? {};
    expect(Date.parse(final_at) - Date.parse(requested_at)).toBe(7 * DAY_MS);
    // Both know it before the response is sent.
    const closed = { organizationId, businessId, closed: true, revision: 1 };
    for (const service of ['content', 'publisher']) expect(requestsOf(`setClosure ${service}`, businessId)).toEqual([closed]);

    // It can be read by everybody, and the reading changes with the deletion.
    const read = await viewer.call('GET', path);
    expect(await json(read)).toMatchObject({ deletion: accepted.deletion });
    expect((await viewer.call('GET', `${path}/posts`)).status).toBe(200);
    expect((await gateway.call(path, { key })).status).toBe(200);
    const problem = await expectProblem(await manager.call('PATCH', path, { tone: 'Dry' }), { ...CONFLICT, param: 'business_id' });
    expect(problem['detail']).toContain(final_at);
    const post = { method: 'POST', key, body: '{"caption":"Bread"}', headers: { 'content-type': 'application/json' } };
    await expectProblem(await gateway.call(`${path}/posts`, post), { ...CONFLICT, param: 'business_id' });

    // A repeat changes nothing.
    const again = await manager.call('DELETE', path);
    expect([again.status, (await json(again)).deletion]).toEqual([202, accepted.deletion]);
    const [mail, ...more] = await mailsTo(gateway, owner.email);
    expect(more).toEqual([]);
    expect(mail?.template).toBe('deletion_requested');
    expect(mail?.text).toContain('Bakery');
    expect(await mailsTo(gateway, manager.email)).toEqual([]);

    const restored = await owner.call('POST', `${path}/restore`);
    expect([restored.status, (await json(restored)).deletion]).toEqual([200, null]);
    const opened = { ...closed, closed: false, revision: 2 };
    for (const service of ['content', 'publisher']) expect(requestsOf(`setClosure ${service}`, businessId)).toEqual([closed, opened]);
    expect((await gateway.call(`${path}/posts`, post)).status).toBe(201);
    expect(await json(await viewer.call('GET', path))).toMatchObject({ deletion: null });
    expect((await owner.call('POST', `${path}/restore`)).status).toBe(200);
    expect(await actionsOf(organizationId)).toEqual(['business.deletion_requested', 'business.deletion_cancelled']);

    // Requested again, with a later revision.
    expect((await manager.call('DELETE', path)).status).toBe(202);
    expect(requestsOf('setClosure content', businessId)).toEqual([closed, opened, { ...closed, revision: 3 }]);
  });

  it('is deleted by owners and admins who are signed in, with the revision that they know', async () => {
    const { manager, editor, viewer, path, key } = await made();
    for (const [method, at] of [
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ] as const) {
      for (const person of [editor, viewer]) await expectProblem(await person.call(method, at), DENIED);
      await expectProblem(await gateway.call(at, { method, key }), DENIED);
    }
    const etag = (await manager.call('GET', path)).headers.get('etag') ?? '';
    await expectProblem(await manager.call('DELETE', path, undefined, { 'if-match': '"9-0"' }), {
      status: 412,
      code: 'precondition_failed',
    });
    expect((await manager.call('DELETE', path, undefined, { 'if-match': etag })).status).toBe(202);
  });

  it('is closed when the services respond again, if they did not', async () => {
    const { manager, businessId, path } = await made();
    gateway.services.failures.set('setClosure publisher', new DomainError('internal_error', 'Unavailable.'));
    expect((await manager.call('DELETE', path)).status).toBe(202);
    await eventually(() => requestsOf('setClosure publisher', businessId).length >= 2);
    await eventually(async () => {
      const row = await findDeletion(gateway.context.db, businessId);
      return row?.told_revision === 1 && row.run_at?.getTime() === row.final_at.getTime();
    });
  });

  it('is erased everywhere when the time has passed, and nothing of another one', async () => {
    const { manager, owner, viewer, businessId, organizationId, path, key } = await made();
    const other = await made();
    await manager.call('DELETE', path);
    await gateway.context.db.collection('notices').insertMany([
      { _id: newId() as never, organization_id: organizationId, business_id: businessId },
      { _id: newId() as never, organization_id: organizationId, business_id: newId() },
    ]);
    const others = [other.organizationId, other.businessId];
    const before = await copyOf(gateway.context.db, others);
    // The publisher waits for a post, content needs two calls, and the library does not respond once.
    gateway.services.erasures.set('publisher', [{ done: false, erased: 2, waitingFor: '1 delivery' }]);
    gateway.services.erasures.set('content', [{ done: false, erased: 5 }]);
    gateway.services.failures.set('erase library', new DomainError('internal_error', 'Unavailable.'));
    // What is final cannot be restored.
    await gateway.context.db.collection<{ _id: string }>('deletions').updateOne({ _id: businessId }, { $set: { final_at: new Date() } });
    await expectProblem(await owner.call('POST', `${path}/restore`), CONFLICT);
    await finish(businessId);
    await eventually(async () => (await deletionOf(businessId))?.waitingFor === 'publisher: 1 delivery');
    await expectProblem(await viewer.call('GET', path), NOT_FOUND);
    await expectProblem(await gateway.call(`${path}/posts`, { key }), NOT_FOUND);
    await expectProblem(await owner.call('POST', `${path}/restore`), NOT_FOUND);
    await untilErased(businessId);

    const erased = gateway.services.calls.filter(
      ({ method, request }) => method.startsWith('erase ') && JSON.stringify(request).includes(businessId),
    );
    expect(erased.map(({ method }) => method.slice('erase '.length))).toEqual([
      'publisher',
      'publisher',
      'generation',
      'content',
      'content',
      'library',
      'library',
      'analytics',
      'webhooks',
    ]);
    expect(erased[0]?.request).toEqual({ organizationId, businessIds: [businessId], wholeOrganization: false });
    await expectProblem(await viewer.call('GET', path), NOT_FOUND);
    expect((await viewer.call('GET', '/api/businesses')).status).toBe(200);

    // Ids and times remain, and the audit log of the organization.
    const left = await findEverywhere(gateway.context.db, [businessId], { except: ['audit_entries', 'idempotency_records'] });
    expect(left.sort()).toEqual([`deletions: ${businessId}`, `tombstones: ${businessId}`]);
    const row = await findDeletion(gateway.context.db, businessId);
    for (const name of ['name', 'requested_by', 'requested_by_name', 'waiting_for']) expect(row).not.toHaveProperty(name);
    expect(await gateway.context.db.collection('notices').countDocuments({ organization_id: organizationId })).toBe(1);
    expect(await actionsOf(organizationId)).toEqual(['business.deletion_requested', 'business.deleted']);
    expect((await mailsTo(gateway, owner.email)).map(({ template }) => template)).toEqual(['deletion_requested', 'deleted']);
    expect(await copyOf(gateway.context.db, others)).toEqual(before);
  });
});

describe('an organization', () => {
  it('is deleted by an owner who repeats its name, and restored by one', async () => {
    const { owner, manager, viewer, organizationId, businessId, key } = await made();
    const path = `/api/organizations/${organizationId}`;
    const named = `${path}?confirm_name=Mill`;
    for (const person of [manager, viewer]) await expectProblem(await person.call('DELETE', named), DENIED);
    await expectProblem(await gateway.call(named, { method: 'DELETE', key }), DENIED);
    await expectProblem(await owner.call('DELETE', path), { status: 400, code: 'missing_field', param: 'confirm_name' });
    const wrong = await owner.call('DELETE', `${path}?confirm_name=mill`);
    await expectProblem(wrong, { status: 400, code: 'invalid_value', param: 'confirm_name' });
    expect(await json(await owner.call('GET', path))).toMatchObject({ deletion: null });

    const post = { method: 'POST', key, body: '{"caption":"Bread"}', headers: { 'content-type': 'application/json' } };
    expect((await gateway.call(`/api/businesses/${businessId}/posts`, post)).status).toBe(201);
    expect((await manager.call('POST', '/api/keys', { name: 'in time' })).status).toBe(201);
    const response = await owner.call('DELETE', named);
    const { deletion } = await json(response);
    expect([response.status, response.headers.get('location')]).toEqual([202, expect.stringContaining(path)]);
    expect(Date.parse(deletion?.final_at ?? '') - Date.parse(deletion?.requested_at ?? '')).toBe(30 * DAY_MS);
    const closed = { organizationId, businessId: '', closed: true, revision: 1 };
    for (const service of ['content', 'publisher']) expect(requestsOf(`setClosure ${service}`, organizationId)).toEqual([closed]);
    // The process that handled the request changes nothing any more, though it had cached the callers.
    await expectProblem(await gateway.call(`/api/businesses/${businessId}/posts`, post), { ...CONFLICT, param: 'organization_id' });
    await expectProblem(await manager.call('POST', '/api/keys', { name: 'late' }), { ...CONFLICT, param: 'organization_id' });
    await expectProblem(await owner.call('POST', '/api/businesses', { name: 'Late' }), { ...CONFLICT, param: 'organization_id' });
    await expectProblem(await owner.call('PATCH', path, { name: 'Late' }), { ...CONFLICT, param: 'organization_id' });
    expect((await viewer.call('GET', '/api/businesses')).status).toBe(200);
    expect((await gateway.call(`/api/businesses/${businessId}/posts`, { key })).status).toBe(200);
    // People can leave, and keys can be revoked.
    expect((await owner.call('DELETE', `/api/members/${viewer.id}`)).status).toBe(200);

    await expectProblem(await manager.call('POST', `${path}/restore`), DENIED);
    const restored = await owner.call('POST', `${path}/restore`);
    expect([restored.status, (await json(restored)).deletion]).toEqual([200, null]);
    await eventually(async () => (await gateway.call(`/api/businesses/${businessId}/posts`, post)).status === 201);
  });

  it('is erased with everything, and with the people who belong nowhere else; a second process continues', async () => {
    const { owner, manager, editor, viewer, organizationId, businessId, key } = await made();
    const other = await made();
    const { db } = gateway.context;
    const member = { organization_id: other.organizationId, user_id: editor.id, role: 'viewer', created_at: new Date() };
    await db.collection('members').insertOne({ _id: newId() as never, ...member });
    await gateway.admin.disableUser({ userId: viewer.id, reason: 'Spam', keepKeys: false }, admin);
    await owner.call('POST', '/api/invitations', { email: 'guest@example.com', role: 'editor' });
    await owner.call('POST', '/api/keys', { name: 'till' }, { 'idempotency-key': newId() });
    await owner.call('POST', '/api/feedback', { message: 'Too much flour.' });
    // A business that is being deleted at the same time.
    await manager.call('DELETE', `/api/businesses/${businessId}`);
    await owner.call('DELETE', `/api/organizations/${organizationId}?confirm_name=Mill`);
    const before = await copyOf(db, [other.organizationId], { except: ['members'] });

    // Its advance ends before the services erase what they know of the clock.
    const clocks = db.collection<{ _id: string }>('test_clocks');
    await clocks.insertOne({ _id: organizationId, ahead_ms: 1, moved_at: new Date(), fence: 0 } as { _id: string });

    // The process dies while a service does not respond: its lease is given to another one.
    let respond = (): void => undefined;
    gateway.services.holds.set('erase content', new Promise<void>((resolve) => (respond = resolve)));
    await finish(organizationId);
    await eventually(() => requestsOf('erase content', organizationId).length === 1);
    expect(await clocks.findOne({ _id: organizationId })).toBeNull();
    const second = await startSecond(gateway);
    await db.collection<{ _id: string }>('deletions').updateOne({ _id: organizationId }, { $set: { run_at: new Date(0) } });
    await eventually(() => requestsOf('erase content', organizationId).length === 2);
    gateway.services.holds.delete('erase content');
    respond();
    await untilErased(organizationId);
    await second.stop();
    // The publisher and generation had erased everything, and were not called again.
    for (const name of ['publisher', 'generation']) expect(requestsOf(`erase ${name}`, organizationId)).toHaveLength(1);
    expect(requestsOf('erase webhooks', organizationId).at(-1)).toEqual({
      organizationId,
      businessIds: [businessId],
      wholeOrganization: true,
    });
    for (const name of SERVICES) expect(requestsOf(`erase ${name}`, organizationId).length).toBeGreaterThan(0);

    for (const person of [owner, manager]) await expectProblem(await person.call('GET', '/api/me'), SIGNED_OUT);
    await expectProblem(await gateway.call('/api/businesses', { key }), SIGNED_OUT);
    // Who belongs to another organization keeps the sign-in, and whom operators have disabled stays disabled.
    expect((await editor.call('GET', '/api/me')).status).toBe(200);
    await expectProblem(await editor.call('GET', `/api/organizations/${organizationId}`), NOT_FOUND);
    expect((await findUser(db, viewer.id))?.disabled_at).toBeTruthy();

    const erased = [organizationId, businessId, owner.id, manager.id, owner.email, manager.email, 'guest@example.com'];
    const left = await findEverywhere(db, erased);
    expect(left.sort()).toEqual([`deletions: ${organizationId}`, `tombstones: ${businessId}`, `tombstones: ${organizationId}`].sort());
    expect(await copyOf(db, [other.organizationId], { except: ['members'] })).toEqual(before);
    expect((await mailsTo(gateway, owner.email)).map(({ template }) => template)).toEqual([
      'deletion_requested',
      'deletion_requested',
      'deleted',
    ]);
  });
});

describe('operators', () => {
  it('request, cancel and finish deletions, with a reason', async () => {
    const { organizationId, businessId } = await made();
    await expect(gateway.admin.requestDeletion({ businessId, reason: ' ' }, admin)).rejects.toMatchObject({ param: 'reason' });
    await expect(gateway.admin.requestDeletion({ reason: 'Asked' }, admin)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(gateway.admin.requestDeletion({ businessId: newId(), reason: 'Asked' }, admin)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    gateway.services.businesses.set(CANARY.businessId, aBusiness({ id: CANARY.businessId, organizationId: CANARY.organizationId }));
    await expect(gateway.admin.requestDeletion({ businessId: CANARY.businessId, reason: 'Asked' }, admin)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    for (const what of [{ businessId }, { organizationId }]) {
      const { deletion } = await gateway.admin.requestDeletion({ ...what, reason: 'Asked by letter' }, admin);
      expect(deletion).toMatchObject({ organizationId, state: 'DELETION_STATE_PENDING', requestedBy: 'system:test' });
    }
    const listed = await gateway.admin.listDeletions({ organizationId, pageSize: 100 }, admin);
    expect(listed.deletions.map(({ id }) => id)).toEqual([organizationId, businessId]);
    for (const id of [organizationId, businessId]) await gateway.admin.cancelDeletion({ id, reason: 'They changed their mind' }, admin);
    expect((await gateway.admin.listDeletions({ organizationId, pageSize: 100 }, admin)).deletions).toEqual([]);
    await expect(finish(businessId)).rejects.toMatchObject({ code: 'resource_not_found' });
    await expect(gateway.admin.cancelDeletion({ id: newId(), reason: 'None' }, admin)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });
});

it('mails only owners whose address is verified', async () => {
  const { organizationId, businessId, manager } = await made();
  const second = await aPerson(gateway, 'owner', organizationId);
  await gateway.context.db.collection<{ _id: string }>('users').updateOne({ _id: second.id }, { $set: { email_verified: false } });
  await manager.call('DELETE', `/api/businesses/${businessId}`);
  expect(await mailsTo(gateway, second.email)).toEqual([]);
});
